"""Certificates for clusters that others have started, as distributed.Security objects."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .._spec.campaign import CampaignTable

SCHEME = "tls://"


def encrypted(cluster: Any) -> bool:
    """Whether this is the address of a scheduler that takes TLS connections only."""
    return isinstance(cluster, str) and cluster.startswith(SCHEME)


def security_of(table: CampaignTable | None) -> Any:
    """What the table names, or None; a ValueError names the key of a file that cannot be used."""
    if table is None or table.tls_ca_file is None:
        return None
    authority, certificate, key = table.tls_ca_file, table.tls_cert, table.tls_key
    assert certificate is not None
    assert key is not None
    _check_file("tls_ca_file", authority, "is not a certificate", _load_certificate)
    _check_file("tls_cert", certificate, "is not a certificate", _load_certificate)
    wrong = f"is not the key of '{certificate}', or is encrypted"
    _check_file("tls_key", key, wrong, lambda path: _load_key(certificate, path))
    distributed: Any = import_module("distributed")
    files = {"tls_ca_file": authority, "tls_client_cert": certificate, "tls_client_key": key}
    return distributed.Security(require_encryption=True, **{name: str(path) for name, path in files.items()})


def _check_file(name: str, path: Path, wrong: str, load: Callable[[Path], None]) -> None:
    if not path.is_file():
        raise ValueError(f"{name}: no such file '{path}'")
    try:
        load(path)
    except ssl.SSLError as error:
        raise ValueError(f"{name}: '{path}' {wrong} ({error})") from None
    except OSError as error:
        raise ValueError(f"{name}: '{path}' cannot be read ({error.strerror})") from None


def _load_certificate(path: Path) -> None:
    ssl.create_default_context(cafile=path)


def _load_key(certificate: Path, key: Path) -> None:
    """Without a password: OpenSSL would ask for it on the terminal."""
    ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(certificate, key, password=lambda: "")


def check(cluster: Any, security: Any) -> None:
    """Raise an error for a security that does not go with the cluster, or for one that is missing."""
    distributed: Any = import_module("distributed")
    if security is None:
        if encrypted(cluster) and not _configured(distributed):
            raise ValueError(
                f"cluster: {cluster} needs certificates: give security, or on the command line "
                "--tls-ca-file, --tls-cert and --tls-key"
            )
        return
    if not isinstance(security, distributed.Security):
        raise TypeError(f"security must be a distributed.Security, got {type(security).__name__}")
    if cluster == "local":
        raise ValueError('security: cluster "local" creates its own keys; remove it')
    if not isinstance(cluster, str):
        raise ValueError(f"security: a {type(cluster).__name__} has its own; remove it")
    if not encrypted(cluster):
        raise ValueError(f"security: {cluster} is not encrypted; give an address that begins with {SCHEME}")
    try:
        usable = _has_certificates(security)
    except (OSError, ValueError) as error:  # files that are missing, or hold something else
        raise ValueError(f"security: its certificates cannot be used ({error})") from error
    if not usable:
        raise ValueError("security: give it tls_ca_file, tls_client_cert and tls_client_key")


def _has_certificates(security: Any) -> bool:
    return security.get_connection_args("client")["ssl_context"] is not None


def _configured(distributed: Any) -> bool:
    """Whether dask's own configuration has certificates, or a function that finds them."""
    dask: Any = import_module("dask")
    loader = dask.config.get("distributed.client.security-loader", None)
    return loader is not None or _has_certificates(distributed.Security())
