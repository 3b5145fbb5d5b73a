"""Loading and cleaning of survey responses."""

from dataclasses import dataclass, field


@dataclass
class Response:
    respondent: str
    answers: dict = field(default_factory=dict)

    def answered(self, question):
        value = self.answers.get(question)
        return value is not None and value != ""


class Survey:
    """A named survey with its questions and the responses so far."""

    def __init__(self, title, questions):
        self.title = title
        self.questions = list(questions)
        self.responses = []

    def add(self, respondent, **answers):
        unknown = set(answers) - set(self.questions)
        if unknown:
            raise KeyError("unknown questions: " + ", ".join(sorted(unknown)))
        response = Response(respondent, dict(answers))
        self.responses.append(response)
        return response

    def values(self, question):
        """All the answers given to a question, blanks left out."""
        if question not in self.questions:
            raise KeyError(question)
        return [r.answers[question] for r in self.responses if r.answered(question)]

    def response_rate(self, question):
        if not self.responses:
            return 0.0
        return len(self.values(question)) / len(self.responses)


def parse_number(text):
    """Turn '7', ' 7.5 ' or '' into a number (or None)."""
    text = text.strip()
    if not text:
        return None
    number = float(text)
    return int(number) if number.is_integer() else number
