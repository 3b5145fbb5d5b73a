'use strict';
const cells = JSON.parse(document.getElementById('cells').textContent);
const body = document.getElementById('rows'), box = document.getElementById('filter');
const MOST = 500;
function put(parent, name, text) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  parent.appendChild(made);
  return made;
}
function words(cell) {
  const { corpus, bug, configuration, sample, status, agreement, agreement_by, group, error } = cell;
  return [corpus, bug, configuration, sample, status, agreement, agreement_by, group, error].join(' ').toLowerCase();
}
const texts = cells.map(words);
function list() {
  const wanted = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = cells.filter((_, n) => wanted.every(word => texts[n].includes(word)));
  body.replaceChildren();
  for (const cell of found.slice(0, MOST)) {
    const row = put(body, 'tr');
    row.tabIndex = 0;
    for (const value of [cell.bug + (cell.seed ? ' #' + cell.seed : ''), cell.configuration, cell.status, cell.agreement,
                         cell.agreement_by, cell.seconds.toFixed(1), cell.executed]) put(row, 'td', value);
    row.onclick = () => show(cell);
    row.onkeydown = event => { if (event.key === 'Enter') show(cell); };
  }
  document.getElementById('shown').textContent = found.length + ' of ' + cells.length +
    (found.length > MOST ? ', the first ' + MOST + ' are listed' : '');
}
function section(place, title, lines) {
  if (!lines.length) return;
  put(place, 'h3', title);
  const items = put(place, 'ul');
  for (const line of lines) put(items, 'li', line);
}
function show(cell) {
  const place = document.getElementById('cell');
  place.replaceChildren();
  put(place, 'h2', cell.bug + ' under ' + cell.configuration + ', seed ' + cell.seed);
  put(place, 'p', cell.status + (cell.agreement ? ', reference: ' + cell.agreement + ' (' + cell.agreement_by + ')' : '') +
    (cell.witness ? ': ' + cell.witness : '') + (cell.error ? ': ' + cell.error : ''));
  if (cell.diff) {
    const text = put(place, 'pre');
    for (const line of cell.diff.split('\n')) {
      const part = put(text, 'span', line + '\n');
      part.className = line.startsWith('+') ? 'add' : line.startsWith('-') ? 'del' : '';
    }
  }
  section(place, 'Evidence', cell.evidence.map(e => e.gate + ': ' + e.decision + '. ' + e.claim +
    (e.witness ? ' [' + e.witness + ']' : '') + ' (' + e.seconds.toFixed(1) + ' s)'));
  section(place, 'Questions', cell.questions);
  section(place, 'Suspects', cell.suspects);
  section(place, 'Messages', cell.messages);
  const total = cell.times.total || 1;
  const phases = Object.entries(cell.times).filter(([name, value]) => name !== 'total' && value > 0);
  if (phases.length) {
    put(place, 'h3', 'Time');
    for (const [name, value] of phases) {
      const line = put(place, 'div');
      put(line, 'span').className = 'bar';
      line.firstChild.style.width = Math.max(1, 400 * value / total) + 'px';
      put(line, 'span', ' ' + name + ' ' + value.toFixed(1) + ' s');
    }
  }
  place.focus();
  place.scrollIntoView();
}
box.oninput = list;
list();
