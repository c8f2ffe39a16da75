# SPDX-License-Identifier: Apache-2.0 OR MIT
"""TLS settings in the form that the first releases had."""

from __future__ import annotations

from collections.abc import Callable

from . import _mf_smem


class TlsOption:
    """Files of the config store's TLS. Paths are relative to ``tls_top_path`` where that is set.

    The key service fields ``kmc_ksf_master`` and ``kmc_ksf_standby`` are accepted and have no effect.
    """

    def __init__(self) -> None:
        self.enable_tls: bool = False
        self.tls_top_path: str = ""
        self.tls_cert: str = ""
        self.tls_crl_path: str = ""
        self.tls_ca_path: str = ""
        self.tls_ca_file: set[str] = set()
        self.tls_crl_file: set[str] = set()
        self.tls_pk: str = ""
        self.tls_pk_pwd: str = ""
        self.kmc_ksf_master: str = ""
        self.kmc_ksf_standby: str = ""
        self.package_path: str = ""

    def tls_info(self) -> str:
        """The same settings as the text that `set_conf_store_tls` takes."""
        fields = {
            "tlsTopPath": self.tls_top_path,
            "tlsCaPath": self.tls_ca_path,
            "tlsCaFile": ",".join(sorted(self.tls_ca_file)),
            "tlsCert": self.tls_cert,
            "tlsCrlPath": self.tls_crl_path,
            "tlsCrlFile": ",".join(sorted(self.tls_crl_file)),
            "tlsPk": self.tls_pk,
            "tlsPkPwd": self.tls_pk_pwd,
            "packagePath": self.package_path,
        }
        return " ".join(f"{key}: {value};" for key, value in fields.items() if value)


def set_ssl_option(tls_option: TlsOption) -> int:
    """Sets the TLS of the config store; returns a code, 0 for success."""
    return _mf_smem.set_conf_store_tls(tls_option.enable_tls, tls_option.tls_info())


def register_decrypt_handler(py_decrypt_func: Callable[[str], str | bytes]) -> int:
    """Has `py_decrypt_func` decrypt the password of the private key that the TLS settings name; returns a code."""
    return _mf_smem.set_conf_store_tls_key("", "", py_decrypt_func)
