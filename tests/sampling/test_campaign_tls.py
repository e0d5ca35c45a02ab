"""Campaigns on a cluster that takes TLS connections only, and the errors of certificates."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from campaign_cluster import Cluster
from campaign_makers import BEADS, NOWHERE, nearby

import elbowroom as er
from elbowroom.sampling import Campaign, CampaignError
from elbowroom.sampling._campaign import cluster as _cluster

pytestmark = pytest.mark.cluster

distributed = pytest.importorskip("distributed")
pytest.importorskip("cryptography")

Ask = Callable[..., tuple[int, str, str]]

FILES = ("tls_ca_file", "tls_cert", "tls_key")
#: Where no scheduler is, and where none is asked.
TLS = NOWHERE.replace("tcp", "tls")


def write_keys(folder: Path) -> dict[str, Path]:
    """Files of an authority of its own; a certificate that it has signed, its own; and the key."""
    made = distributed.Security.temporary()
    files = {name: folder / f"{name}.pem" for name in FILES}
    contents = (made.tls_ca_file, made.tls_client_cert, made.tls_client_key)
    for file, content in zip(files.values(), contents, strict=True):
        file.write_text(content)
    return files


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_keys(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, keys: dict[str, Path]) -> Iterator[Cluster]:
    options = [word for name, file in keys.items() for word in (f"--{name.replace('_', '-')}", file)]
    made = Cluster(tmp_path_factory.mktemp("cluster"), "--protocol", "tls", *options)
    try:
        made.add_worker()
        yield made
    finally:
        made.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """The campaign as another cluster makes it."""
    return er.sampling.campaign(BEADS, out=tmp_path_factory.mktemp("whole"), cluster=nearby(), replicas=2)


def security(files: dict[str, Path]) -> Any:
    authority, certificate, key = map(str, files.values())
    return distributed.Security(tls_ca_file=authority, tls_client_cert=certificate, tls_client_key=key)


def test_a_campaign_by_a_security(
    tmp_path: Path, cluster: Cluster, keys: dict[str, Path], whole: Campaign
) -> None:
    assert cluster.address.startswith("tls://127.0.0.1:")
    found = er.sampling.campaign(
        BEADS, out=tmp_path, cluster=cluster.address, security=security(keys), replicas=2
    )
    assert found.failed == {} and found.table() == whole.table()


def test_a_campaign_by_a_file(
    tmp_path: Path, cluster: Cluster, keys: dict[str, Path], whole: Campaign
) -> None:
    """Its paths are relative to it; another cluster that the caller names does not get its certificates."""
    for file in keys.values():
        shutil.copy(file, tmp_path)
    lines = [f'{name} = "{file.name}"' for name, file in keys.items()]
    table = "\n".join(["[campaign]", "replicas = 2", f'cluster = "{cluster.address}"', *lines])
    (tmp_path / "run.toml").write_text(
        f"[chain]\nbeads = 20\nradius = 0.4\n[run]\nsteps = 2000\nevery = 10\nseed = 5\n{table}\n"
    )
    found = er.sampling.campaign(tmp_path / "run.toml", out=tmp_path / "out")
    assert found.failed == {} and found.table() == whole.table()
    again = er.sampling.campaign(tmp_path / "run.toml", out=tmp_path / "again", cluster=nearby())
    assert again.table() == whole.table()


def test_the_command_line(
    ask: Ask, tmp_path: Path, cluster: Cluster, keys: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Relative paths on it are those from here; a campaign that goes on, elsewhere even, finds the files."""
    monkeypatch.chdir(tmp_path)
    for file in keys.values():
        shutil.copy(file, tmp_path)
    options = [f"--{name.replace('_', '-')}={file.name}" for name, file in keys.items()]
    beads = ("sample", "--beads", 20, "--steps", 1000, "--replicas", 2, f"--cluster={cluster.address}")
    status, out, err = ask(*beads, *options, "--out", "many")
    assert (status, err) == (0, "") and "2 done" in out
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    status, out, err = ask("sample", "--resume", "../many", "--steps", 2000)
    assert (status, err) == (0, "") and Campaign.load("../many").tasks["steps"].to_pylist() == [2000, 2000]
    status, out, err = ask("sample", "--resume", "../many", "--steps", 3000, f"--cluster={nearby()}")
    assert (status, err) == (0, "")
    kept = json.loads((tmp_path / "many" / "spec.json").read_text())["campaign"]
    assert kept == {"replicas": 2, "cluster": nearby()}


def test_keys_of_another_authority_are_refused(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_cluster, "CONNECT", 1.0)
    with pytest.raises(CampaignError, match=r"no scheduler answers at tls://.* are these its certificates\?"):
        er.sampling.campaign(
            BEADS, out=tmp_path / "out", cluster=cluster.address, security=security(write_keys(tmp_path))
        )


def test_a_connection_without_tls_is_refused(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_cluster, "CONNECT", 1.0)
    plain = cluster.address.replace("tls", "tcp")
    with pytest.raises(CampaignError, match=r"no scheduler answers at tcp://.* does it require tls://\?"):
        er.sampling.campaign(BEADS, out=tmp_path / "out", cluster=plain)


@pytest.mark.parametrize(
    ("address", "given", "error", "told"),
    [
        ("local", "keys", ValueError, '^security: cluster "local" creates its own keys; remove it'),
        (NOWHERE, "keys", ValueError, r"^security: tcp://127\.0\.0\.1:1 is not encrypted; .* tls://"),
        (TLS, None, ValueError, r"^cluster: tls://127\.0\.0\.1:1 needs certificates: give security, or"),
        (TLS, "empty", ValueError, "^security: give it tls_ca_file, tls_client_cert and tls_client_key"),
        (TLS, "gone", ValueError, r"^security: its certificates cannot be used \(.*No such file"),
        (TLS, "broken", ValueError, "^security: its certificates cannot be used"),
        (TLS, {"tls_ca_file": "a"}, TypeError, r"^security must be a distributed\.Security, got dict"),
    ],
)
def test_a_security_that_cannot_be_used_is_refused_before_anything_is_written(
    tmp_path: Path, address: str, given: Any, error: type[Exception], told: str, keys: dict[str, Path]
) -> None:
    (tmp_path / "broken").write_text("no certificate")
    known = {
        "keys": security(keys),
        "empty": distributed.Security(),
        "gone": security(keys | {"tls_cert": tmp_path / "gone"}),
        "broken": security(keys | {"tls_ca_file": tmp_path / "broken"}),
    }
    wanted = known[given] if isinstance(given, str) else given
    with pytest.raises(error, match=told):
        er.sampling.campaign(BEADS, out=tmp_path / "out", cluster=address, security=wanted)
    assert not (tmp_path / "out").exists()


def test_a_client_has_its_own_security(tmp_path: Path, keys: dict[str, Path]) -> None:
    with (
        distributed.Client(nearby(), set_as_default=False) as client,
        pytest.raises(ValueError, match=r"^security: a Client has its own; remove it"),
    ):
        er.sampling.campaign(BEADS, out=tmp_path, cluster=client, security=security(keys))


def test_certificates_of_dasks_configuration_are_used(
    tmp_path: Path, cluster: Cluster, keys: dict[str, Path], whole: Campaign
) -> None:
    import dask

    authority, certificate, key = map(str, keys.values())
    own = {"ca-file": authority, "client": {"cert": certificate, "key": key}}
    with dask.config.set({"distributed.comm.tls": {**dask.config.get("distributed.comm.tls"), **own}}):
        found = er.sampling.campaign(BEADS, out=tmp_path, cluster=cluster.address, replicas=2)
    assert found.table() == whole.table()


ONLY = "--tls-ca-file: only a cluster at an address that begins with tls:// takes it"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (dict.fromkeys(("tls-ca-file", "tls-cert", "tls-key")), f"--cluster: {TLS} needs certificates: "),
        ({"tls-key": None}, "--tls-key: is missing: tls_ca_file, tls_cert, tls_key go together"),
        ({"tls-ca-file": None, "tls-cert": None}, "--tls-ca-file: is missing"),
        ({"cluster": "local"}, ONLY),
        ({"cluster": NOWHERE}, ONLY),
        ({"cluster": None}, ONLY),
        ({"tls-cert": "gone"}, "--tls-cert: no such file '{here}/gone'"),
        ({"tls-ca-file": "key"}, "--tls-ca-file: '{here}/key' is not a certificate"),
        ({"tls-cert": "key"}, "--tls-cert: '{here}/key' is not a certificate"),
        ({"tls-key": "cert"}, "--tls-key: '{here}/cert' is not the key of '{here}/cert', or is encrypted"),
        (
            {"tls-key": "locked"},
            "--tls-key: '{here}/locked' is not the key of '{here}/cert', or is encrypted",
        ),
        ({"tls-key": "."}, "--tls-key: no such file '{here}'"),
    ],
)
def test_wrong_certificates_on_the_command_line_are_one_line(
    ask: Ask,
    tmp_path: Path,
    changes: dict[str, str | None],
    told: str,
    keys: dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, file in zip(("ca", "cert", "key"), keys.values(), strict=True):
        shutil.copy(file, name)
    Path("locked").write_bytes(encrypted(Path("key").read_bytes()))
    options = {"cluster": TLS, "tls-ca-file": "ca", "tls-cert": "cert", "tls-key": "key"} | changes
    words = [f"--{name}={value}" for name, value in options.items() if value is not None]
    status, out, err = ask("sample", "--beads", 9, "--steps", 9, "--replicas", 2, "--out", "out", *words)
    assert (status, out) == (2, "")
    assert err.startswith(f"elbowroom: {told.format(here=tmp_path)}") and err.count("\n") == 1


def encrypted(key: bytes) -> bytes:
    """The same key, behind a password."""
    from cryptography.hazmat.primitives import serialization as s

    known = s.load_pem_private_key(key, None)
    return known.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.BestAvailableEncryption(b"secret"))
