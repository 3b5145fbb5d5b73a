#!/usr/bin/env bash
# What the action runs: one judgement, told as annotations, as a summary, and as files for later steps.
# It ends with 0 but for the words in FAIL_ON, and where it was asked wrongly. REPAIR is the engine's command: its folder
# is not on the path, so that `python` stays the one of the project.
set -u -o pipefail

repair="${REPAIR:-repair}"
folder="${RUNNER_TEMP:?}/repair-result"
mkdir -p "$folder"
read -r -a more <<< "${ARGUMENTS:-}"
python="$(command -v "${PYTHON:-python}" || true)"
if [ -n "$python" ]; then more+=(--python "$python"); fi

if [ -z "${SINCE:-}" ]; then
    echo "::error title=repair::No revision to compare with. Set the input since."
    exit 2
fi

if ! git diff --no-ext-diff --no-textconv "$SINCE" -- > "$folder/change.diff"; then
    echo "::error title=repair::git knows no revision ${SINCE//[^A-Za-z0-9_.\/~^-]/?}: check out with fetch-depth 0."
    exit 2
fi
"$repair" check --since "$SINCE" --allow-no-failure --max-seconds "${MAX_SECONDS:-180}" --no-progress --json "${more[@]}" \
    > "$folder/result.json"
code=$?

# What a repository says is text: nothing of it may become a command of the workflow, or markup of the summary.
field() {
    python3 -c 'if True:
        import json, sys
        try:
            said = json.load(open(sys.argv[1]))[sys.argv[2]]
        except (OSError, ValueError, KeyError):
            said = ""
        print(" ".join((" ".join(said) if isinstance(said, list) else str(said)).split()))
    ' "$folder/result.json" "$1"
}
as_code() { sed 's/^/    /'; }

status="$(field status)"
run="$(field run)"
{
    echo "status=$status"
    echo "result=$folder/result.json"
    echo "sarif=$folder/result.sarif"
    echo "patch=$folder/change.diff"
} >> "$GITHUB_OUTPUT"

if [ -n "$run" ]; then
    "$repair" show "$run" --output-format github
    "$repair" show "$run" --output-format sarif > "$folder/result.sarif"
    {
        echo "### repair check: $status"
        echo
        "$repair" show "$run" --color never | as_code
        echo
        echo "The change:"
        echo
        head -c 60000 "$folder/change.diff" | as_code
    } >> "$GITHUB_STEP_SUMMARY"
else
    said="$(field messages)"
    said="${said:-nothing was judged}"
    echo "::warning title=repair ${status:-gave no answer}::${said//%/%25}"
    { echo "### repair check: ${status:-no answer}"; echo; echo "$said" | as_code; } >> "$GITHUB_STEP_SUMMARY"
fi

case "$code" in 2 | 70) exit "$code" ;; esac
for word in ${FAIL_ON:-}; do
    if [ "$word" = "$status" ]; then exit 1; fi
done
exit 0
