# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Collection of log files for fault reports; ``mfcli logs`` does more."""
