// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Settings: the environment, the file, and defaults that depend on the SoC name.

use std::time::Duration;

use ascend_sim::codes::acl;
use ascend_sim::config::{Addressing, Config, Schedule};
use ascend_sim::machine::machine;

use crate::isolated;

fn read(settings: &[(&str, &str)]) -> Result<Config, ascend_sim::fault::Fault> {
    Config::read(|name| {
        let found = settings.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    })
}

#[test]
fn defaults_are_those_of_an_a3_server() {
    let config = read(&[]).unwrap();
    assert_eq!((config.soc.as_str(), config.devices, config.hbm_bytes), ("Ascend910_9382", 8, 64 << 30));
    assert_eq!((config.server, config.session.as_str(), config.fill), (0, "default", Some(0xCD)));
    assert_eq!((config.schedule, config.addressing, config.strict), (Schedule::Fifo, Addressing::Same, true));
    assert!(config.cost.is_free());
    assert!(config.explicit.is_empty());
}

#[test]
fn values_are_read_and_wrong_ones_refused_by_name() {
    let config = read(&[
        ("DEVICES", "16"),
        ("HBM_BYTES", "32G"),
        ("SCHEDULE", "random"),
        ("SEED", "7"),
        ("FILL", "off"),
        ("ADDR", "alias"),
        ("STRICT", "0"),
        ("OP_TIMEOUT", "3"),
    ])
    .unwrap();
    assert_eq!((config.devices, config.hbm_bytes, config.fill), (16, 32 << 30, None));
    assert_eq!((config.schedule, config.addressing), (Schedule::Random(7), Addressing::Alias));
    assert_eq!((config.strict, config.op_timeout), (false, Duration::from_secs(3)));
    let slow = read(&[("SCHEDULE", "slow(250)")]).unwrap();
    assert_eq!(slow.schedule, Schedule::Slow(Duration::from_micros(250)));
    for (name, value) in [
        ("DEVICES", "65"),
        ("DEVICES", "-1"),
        ("SERVER", "128"),
        ("HBM_BYTES", "much"),
        ("SCHEDULE", "lifo"),
        ("SCHEDULE", "slow"),
        ("FILL", "256"),
        ("ADDR", "other"),
        ("STRICT", "yes"),
        ("TOPOLOGY", "0-3"),
        ("GBPS", "0"),
        ("SOC", "Ascend310"),
    ] {
        let fault = read(&[(name, value)]).unwrap_err();
        assert_eq!(fault.code, acl::INVALID_PARAM);
        assert!(fault.text.contains(&format!("ASCEND_SIM_{name}={value}")), "{}", fault.text);
    }
}

#[test]
fn soc_sets_defaults_of_unset_settings() {
    let small = read(&[("SOC", "Ascend910B4")]).unwrap();
    assert_eq!(small.hbm_bytes, 32 << 30);
    assert!(!small.topology.reaches(0, 4096), "servers of A2 do not reach each other");
    assert!(read(&[]).unwrap().topology.reaches(0, 4096));
}

#[test]
fn the_environment_overrides_the_file() {
    isolated::crew(1, &[("DEVICES", "5")], |_, board| {
        let path = board.path("settings");
        std::fs::write(&path, "DEVICES = 2\nHBM_BYTES = 3G # little\n").unwrap();
        // SAFETY: this process has one thread yet.
        unsafe { std::env::set_var("ASCEND_SIM_CONFIG", path) };
        let config = &machine().unwrap().config;
        assert_eq!((config.devices, config.hbm_bytes), (5, 3 << 30));
    });
}

#[test]
fn unknown_setting_names_the_nearest() {
    isolated::run(&[("DEVICE", "5")], || {
        let fault = machine().err().unwrap();
        assert_eq!(fault.code, acl::INVALID_PARAM);
        assert!(fault.text.contains("did you mean ASCEND_SIM_DEVICES?"), "{}", fault.text);
    });
}

#[test]
fn missing_settings_file_is_refused() {
    isolated::run(&[("CONFIG", "/nowhere/settings")], || {
        assert_eq!(machine().err().unwrap().code, acl::INVALID_FILE);
    });
}
