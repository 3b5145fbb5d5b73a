"""What a run hands over in the end."""

from types import SimpleNamespace

from repair.config import Options
from repair.outcome import Ending
from repair.result import Status
from repair.trial_memory import TrialMemory
from repair.workshop import Workshop


def test_a_damaged_memory_is_told_with_the_result(tmp_path):
    path, saved, heard = tmp_path / "trials.sqlite", [], []
    path.write_bytes(b"no database" * 1000)
    memory = TrialMemory(path)
    assert memory.page(b"w") == {}
    workshop = Workshop(
        options=Options(str(tmp_path)),
        target=SimpleNamespace(interpreter=SimpleNamespace(version=(3, 11, 7), pytest="8.3.5")),
        sandbox=SimpleNamespace(
            snapshot=SimpleNamespace(stale=lambda: ()), jail=SimpleNamespace(kind="bwrap", opens=())
        ),
        record=SimpleNamespace(id="r", save_result=saved.append),
        listen=heard.append,
        started=0.0,
        warnings=("isolation is limited",),
        proposers=(),
        memory=memory,
    )
    result = workshop.finish(Ending(Status.UNREPAIRED))
    assert saved == [result]
    assert result.warnings[0] == "isolation is limited"
    assert "starts anew" in result.warnings[1]
    assert [event.type for event in heard] == ["warning", "finished"]
