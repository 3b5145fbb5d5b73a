import pytest

from analysis.errors import UsageError
from repair.records.addresses import without_credentials
from repair.records.config import Options, api_key, describe_file_settings, load_options, refuse_changed_settings


def project(root, **files):
    for name, text in files.items():
        (root / f"{name}.toml").write_text(text)
    return root


def test_command_line_beats_environment_beats_file(tmp_path):
    project(tmp_path, pyproject="[tool.repair]\nseed = 1\njobs = 1\nmax-seconds = 10\n")
    options = load_options(tmp_path, {"seed": 3, "jobs": None}, {"REPAIR_SEED": "2", "REPAIR_JOBS": "2", "HOME": "/x"})
    assert (options.seed, options.jobs, options.max_seconds) == (3, 2, 10.0)


def test_what_only_the_file_has_set_is_known(tmp_path):
    project(tmp_path, pyproject="[tool.repair]\nseed = 1\njobs = 1\npython = 'python3'\npass-env = ['A']\n")
    options = load_options(tmp_path, {"jobs": 1}, {"REPAIR_SEED": "2"})
    assert options.from_file == ("pass_env", "python")
    assert load_options(tmp_path, {"python": "python3", "pass_env": ("A",), "jobs": 1, "seed": 1}, {}).from_file == ()


@pytest.mark.parametrize("place", ["file", "environment", "command line"])
def test_nobody_can_say_where_settings_came_from(tmp_path, place):
    project(tmp_path, pyproject="[tool.repair]\nfrom-file = []\n" if place == "file" else "")
    env = {"REPAIR_FROM_FILE": "python"} if place == "environment" else {}
    with pytest.raises(UsageError, match="Unknown key"):
        load_options(tmp_path, {"from_file": ()} if place == "command line" else {}, env)


def test_defaults(tmp_path):
    options = load_options(tmp_path, {}, {})
    assert options == Options(root=str(tmp_path))
    assert options.chosen_proposers == ("search",)
    assert options.max_seconds == 120.0


def test_repair_toml_wins_over_pyproject(tmp_path):
    project(tmp_path, pyproject="[tool.repair]\nseed = 1\n", repair="seed = 2\n")
    assert load_options(tmp_path, {}, {}).seed == 2


def test_a_pyproject_of_others_says_nothing(tmp_path):
    project(tmp_path, pyproject="[tool.ruff]\nline-length = 1\n")
    assert load_options(tmp_path, {}, {}) == Options(root=str(tmp_path))


def test_lists_come_from_commas_in_the_environment(tmp_path):
    options = load_options(
        tmp_path, {}, {"REPAIR_PROPOSER": "search,model", "REPAIR_MODEL": "m", "REPAIR_PASS_ENV": "A,B"}
    )
    assert (options.proposers, options.pass_env) == (("search", "model"), ("A", "B"))


def test_a_named_model_is_asked_too(tmp_path):
    assert load_options(tmp_path, {"model": "m"}, {}).chosen_proposers == ("search", "model")
    assert load_options(tmp_path, {}, {"OPENAI_API_KEY": "k"}).chosen_proposers == ("search",)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("max-second = 1", ["'max-second'", "pyproject.toml", "Did you mean 'max-seconds'?"]),
        ("zzz = 1", ["'zzz'", "--help"]),
        ("api-key = 'x'", ["environment only", "OPENAI_API_KEY"]),
        ("max-seconds = 'ten'", ["max-seconds in pyproject.toml", "number"]),
        ("max-seconds = '10'", ["max-seconds in pyproject.toml", "number"]),
        ("max-seconds = 0", ["greater than 0"]),
        ("max-seconds = inf", ["finite"]),
        ("jobs = true", ["jobs in pyproject.toml", "integer"]),
        ("gates = 'lax'", ["'standard' or 'strict'"]),
        ("proposers = 'search'", ["proposers in pyproject.toml", "tuple"]),
        ("apply = true", ["apply cannot be set in a file"]),
        ("isolation = 'none'", ["cannot weaken isolation"]),
        ("isolation = 'landlock-only'", ["cannot weaken isolation"]),
        ("isolation = 'landlock'", ["cannot weaken isolation"]),
        ("isolation-image = 'evil'", ["isolation-image cannot be set in a file"]),
        ("base-url = 'http://localhost:8000/v1'", ["base-url cannot be set in a file"]),
        ("model = 'm'", ["model cannot be set in a file"]),
        ("proposers = ['search', 'model']", ["cannot turn on the proposer 'model'", "--proposer"]),
        ("proposers = ['scripted']", ["cannot turn on the proposer 'scripted'"]),
        ("extra-checks = ['theirs']", ["extra-checks cannot be set in a file"]),
        ("extra-gates = ['types', 'theirs']", ["cannot bring in the gate 'theirs'", "--extra-gate"]),
        ("state-dir = 'x'", ["state-dir cannot be set in a file"]),
        ("order = '/etc/passwd'", ["order leads out of the project"]),
        ("order = 'link/passwd'", ["order leads out of the project"]),
        ('order = "\\u0000"', ["order leads out of the project"]),
        ("jobs = 1000000", ["less than or equal to 256"]),
        ("max-seconds = 1e300", ["less than or equal to 604800"]),
        ("seed = 1" + "0" * 5000, ["Not valid TOML"]),
        ("input-price = 0.0", ["input-price cannot be set in a file"]),
        ("max-requests = 60", ["cannot raise what a model may take: max-requests is 6 at most", "--max-requests"]),
        ("max-cost = 100.0", ["max-cost is 2 at most"]),
        ("request-seconds = 600.0", ["request-seconds is 120 at most"]),
        ("max-requests = 0", ["greater than or equal to 1"]),
        ("accept = 'plausible'", ["cannot lower what is accepted", "--accept"]),
        ("x = " + "[" * 100_000, ["Not valid TOML"]),
    ],
)
def test_bad_files_are_refused_with_place_and_key(tmp_path, text, parts):
    (tmp_path / "link").symlink_to("/etc")
    project(tmp_path, pyproject=f"[tool.repair]\n{text}\n")
    with pytest.raises(UsageError) as caught:
        load_options(tmp_path, {}, {})
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.parametrize("text", ["[tool", "[tool]\nrepair = 1\n", "\xff"])
def test_a_broken_file_is_a_usage_error(tmp_path, text):
    (tmp_path / "pyproject.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError, match=r"pyproject\.toml"):
        load_options(tmp_path, {}, {})


def test_an_unknown_variable_is_named_with_a_suggestion(tmp_path):
    with pytest.raises(UsageError, match="Did you mean 'REPAIR_MAX_COST'"):
        load_options(tmp_path, {}, {"REPAIR_MAX_COTS": "1"})


@pytest.mark.parametrize(
    "name",
    [
        *("AZURE_API_KEY", "MYSQL_PWD", "PGPASSWORD", "SSHPASS", "DATABASE_URL", "REDIS_URI", "SENTRY_DSN"),
        *("GITHUB_PAT", "BASIC_AUTH", "AWS_PROFILE", "db_passphrase", "COOKIE_JAR", "GOOGLE_APPLICATION_CREDENTIALS"),
        *("HTTPS_PROXY", "UV_DEFAULT_INDEX", "GIT_CONFIG_VALUE_0", "AUTHORIZATION", "DBURL", "KRB5CCNAME"),
        *("SSH_AUTH_SOCK", "KUBECONFIG", "NETRC", "APP_JWT", "SLACK_WEBHOOK", "CLIENT_CERT", "MONGO_CONNECTION"),
    ],
)
def test_a_file_passes_no_secret_by_any_usual_name(tmp_path, name):
    project(tmp_path, pyproject=f"[tool.repair]\npass-env = ['LANG', '{name}']\n")
    with pytest.raises(UsageError, match=f"cannot ask for {name}, which sounds like a secret"):
        load_options(tmp_path, {}, {})
    project(tmp_path, pyproject="")
    assert load_options(tmp_path, {"pass_env": (name,)}, {}).pass_env == (name,)  # the user may


@pytest.mark.parametrize("name", ["LANG", "TZ", "CI", "DJANGO_SETTINGS_MODULE", "PATTERN", "AUTHOR", "PYTHONHASHSEED"])
def test_ordinary_variables_may_be_passed_by_a_file(tmp_path, name):
    project(tmp_path, pyproject=f"[tool.repair]\npass-env = ['{name}']\n")
    assert load_options(tmp_path, {}, {}).pass_env == (name,)


def test_a_value_with_credentials_is_refused_whatever_its_name(tmp_path):
    project(tmp_path, pyproject="[tool.repair]\npass-env = ['BROKER']\n")
    assert load_options(tmp_path, {}, {"BROKER": "amqp://host/x"}).pass_env == ("BROKER",)
    with pytest.raises(UsageError, match="BROKER, whose value holds credentials") as caught:
        load_options(tmp_path, {}, {"BROKER": "amqp://user:canary@host/x"})
    assert "canary" not in str(caught.value)


def test_what_the_file_sets_is_one_sentence(tmp_path):
    assert describe_file_settings(load_options(tmp_path, {}, {})) == ""
    project(tmp_path, pyproject=f"[tool.repair]\njobs = 2\nseed = 1\npass-env = ['LANG', '{'X' * 90}']\n")
    said = describe_file_settings(load_options(tmp_path, {"seed": 3}, {}))
    assert said.startswith("pyproject.toml sets jobs = 2, pass-env = ['LANG', 'XXX")
    assert said.endswith("…")


@pytest.mark.parametrize(
    "url",
    [
        "http://u:canary-5151@h/v1",
        "u:canary-5151@h/v1",
        "http://h/v1?api-key=canary-5151",
        "http://h/v1#canary-5151",
        "//u:canary-5151@h",
    ],
)
@pytest.mark.parametrize("name", ["base_url", "strong_base_url"])
def test_an_address_that_may_hold_a_secret_is_refused_and_never_quoted(tmp_path, url, name):
    with pytest.raises(UsageError, match="base-url holds credentials") as caught:
        load_options(tmp_path, {name: url, "model": "m"}, {})
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "plain"),
    [
        ("http://u:p@h:8000/v1?k=s#f", "http://h:8000/v1"),
        ("https://h/v1/@x", "https://h/v1/@x"),
        ("u:p@h/v1", "h/v1"),
        ("http://u:a@b@h/v1", "http://h/v1"),
        ("", ""),
    ],
)
def test_of_an_address_only_what_holds_no_secret_is_written_down(url, plain):
    assert without_credentials(url) == plain


@pytest.mark.parametrize("url", ["http://[::1", "http://[zz]/"])
def test_an_address_that_is_none_is_refused(tmp_path, url):
    with pytest.raises(UsageError, match="base-url is no address"):
        load_options(tmp_path, {"base_url": url}, {})


@pytest.mark.parametrize("text", ["tool = 1\n", "[tool]\nother = 1\n"])
def test_a_file_without_our_table_sets_nothing(tmp_path, text):
    (tmp_path / "pyproject.toml").write_text(text)
    assert load_options(tmp_path, {}, {}) == Options(root=str(tmp_path))


def test_the_key_is_in_no_representation(tmp_path):
    env = {"OPENAI_API_KEY": "sk-secret", "REPAIR_API_KEY": "sk-other"}
    assert "secret" not in repr(load_options(tmp_path, {}, env))
    assert api_key(env) == "sk-other"
    assert api_key({}) == ""


def test_credentials_in_the_endpoint_are_refused(tmp_path):
    with pytest.raises(UsageError, match="credentials") as caught:
        load_options(tmp_path, {"base_url": "http://u:secret@h/v1"}, {})
    assert "secret" not in str(caught.value)


def test_the_model_proposer_needs_a_model(tmp_path):
    with pytest.raises(UsageError, match="--model"):
        load_options(tmp_path, {"proposers": ("model",)}, {})


def test_the_agent_proposer_needs_a_command(tmp_path):
    with pytest.raises(UsageError, match="--agent"):
        load_options(tmp_path, {"proposers": ("agent",)}, {})


def test_a_stronger_model_stands_beside_a_first_one_and_is_the_user_s_to_name(tmp_path):
    for given in ({"strong_model": "b"}, {"models": ("b",)}):
        with pytest.raises(UsageError, match="A further model is named, and no first one"):
            load_options(tmp_path, given, {})
    for given in ({"strong_model": "b", "model": "b"}, {"model": "b", "models": ("c", "c strength=2")}):
        with pytest.raises(UsageError, match="is named twice"):
            load_options(tmp_path, given, {})
    with pytest.raises(UsageError, match="credentials"):
        load_options(tmp_path, {"model": "m", "strong_model": "b", "strong_base_url": "http://u:secret@h/v1"}, {})
    assert load_options(tmp_path, {"model": "m"}, {"REPAIR_STRONG_MODEL": "b"}).strong_model == "b"
    assert "sk-x" not in repr(load_options(tmp_path, {"model": "m"}, {"REPAIR_STRONG_API_KEY": "sk-x"}))
    (tmp_path / "repair.toml").write_text("strong-model = 'x'")
    with pytest.raises(UsageError, match="strong-model cannot be set in a file"):
        load_options(tmp_path, {"model": "m"}, {})


def test_further_models_are_the_user_s_own_list(tmp_path):
    env = {"REPAIR_MODELS": "b strength=2,c input-price=1", "REPAIR_B_API_KEY": "sk-canary-b"}
    found = load_options(tmp_path, {"model": "m"}, env)
    assert found.models == ("b strength=2", "c input-price=1")
    assert "canary" not in repr(found)
    with pytest.raises(UsageError, match="REPAIR_B_API_KEY is the model's key"):
        load_options(tmp_path, {"model": "m", "pass_env": ("REPAIR_B_API_KEY",)}, env)
    (tmp_path / "repair.toml").write_text("models = ['b']")
    with pytest.raises(UsageError, match="models cannot be set in a file"):
        load_options(tmp_path, {"model": "m"}, {})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "'open",
        "strength=2",
        "b strength=0",
        "b strength=x",
        "b input-price=-1",
        "b output-price=nan",
        "b key=HOME",
        "b base-url=http://u:canary@h/v1",
        "b colour=red",
        "b base-url=",
    ],
)
def test_a_further_model_that_cannot_be_read_is_refused_with_the_form(tmp_path, text):
    with pytest.raises(UsageError, match="model") as caught:
        load_options(tmp_path, {"model": "m", "models": (text,)}, {})
    assert "Write it as 'NAME strength=2" in str(caught.value)
    assert "canary" not in str(caught.value)


def test_an_agent_is_named_by_the_user_and_never_by_the_project(tmp_path):
    assert load_options(tmp_path, {"agent": "my-agent"}, {}).chosen_proposers == ("search", "agent")
    assert load_options(tmp_path, {"agent": "my-agent"}, {"REPAIR_MODEL": "m"}).chosen_proposers[1:] == (
        "model",
        "agent",
    )
    for line, said in (("agent = 'x'", "agent cannot be set"), ("proposer = ['agent']", "cannot turn on the proposer")):
        (tmp_path / "repair.toml").write_text(line)
        with pytest.raises(UsageError, match=said):
            load_options(tmp_path, {"agent": "my-agent"}, {})


LENIENT = b"[tool.repair]\naccept = 'plausible'\n"
OTHER = b"[project]\nname = 'a'\n"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("pyproject.toml", None, LENIENT),
        ("pyproject.toml", OTHER, OTHER + LENIENT),
        ("pyproject.toml", b"[tool.repair]\ngates = 'strict'\n", OTHER),
        ("repair.toml", None, b"tests = ['tests/test_easy.py']\n"),
        ("repair.toml", b"gates = 'strict'\n", None),
        ("pyproject.toml", OTHER, b"[tool"),
    ],
)
def test_a_change_does_not_set_its_own_bar(path, old, new):
    sides = [((path, side),) if side is not None else () for side in (old, new)]
    with pytest.raises(UsageError, match="judged by") as caught:
        refuse_changed_settings(*sides, lambda name: new)
    assert path in str(caught.value)
    refuse_changed_settings(*sides, lambda name: old)  # not applied yet: the settings are those of before


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("pyproject.toml", OTHER + LENIENT, LENIENT),
        ("pyproject.toml", LENIENT, b"# our settings\n" + LENIENT),
        ("sub/pyproject.toml", OTHER, LENIENT),
        ("setup.cfg", b"", b"[tool.repair]\n"),
    ],
)
def test_other_edits_of_settings_files_are_judged(path, old, new):
    refuse_changed_settings(((path, old),), ((path, new),), lambda name: new)


@pytest.mark.parametrize("name", ["GITHUB_TOKEN", "aws_secret_access", "MyPassword"])
def test_a_project_file_cannot_ask_for_what_sounds_like_a_secret(tmp_path, name):
    (tmp_path / "repair.toml").write_text(f'pass-env = ["{name}"]\n')
    with pytest.raises(UsageError, match="sounds like a secret"):
        load_options(tmp_path, {}, {})
