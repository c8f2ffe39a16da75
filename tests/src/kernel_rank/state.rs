// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State of a rank, and dispatch of orders.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use mf_base::settings::{Switch, settings};
use mf_base::{Gva, Rank};
use mf_device::choose;
use mf_device::host::HostDevice;
use mf_smem::kernel::{Arguments, Binary, Code, LaunchOptions};
use mf_smem::shm::{Config, Context, DATA_OP_MTE, Options, ShareMemory};
use mf_tests::kernels::ranks::FILE_VARIABLE;
use mf_tests::kernels::{Argument, Launch, Order};
use mf_tests::{Answer, Failure, Init, deadline};

use crate::census::Census;
use crate::running;

/// A rank.
pub(crate) struct State {
    at_start: Census,
    context: Option<Context>,
    binary: Option<Binary>,
    objects: BTreeMap<u32, ShareMemory>,
    started: Option<JoinHandle<Result<(), Failure>>>,
}

impl State {
    pub(crate) fn new() -> Self {
        // The runtime of an accelerator keeps a few descriptors and threads for the life of the process.
        if let Ok(settings) = settings() {
            drop(choose(settings.device, 0, Arc::new(HostDevice::new(Switch::Auto))));
        }
        Self {
            at_start: Census::take(),
            context: None,
            binary: None,
            objects: BTreeMap::new(),
            started: None,
        }
    }

    pub(crate) fn carry_out(&mut self, order: Order) -> Result<Answer, Failure> {
        match order {
            Order::Init(init, device) => self.init(&init, device)?,
            Order::Create(id, bytes) => self.create(id, bytes)?,
            Order::Destroy(id) => self.objects.remove(&id).ok_or_else(|| missing("object"))?.destroy(),
            Order::Barrier(id) => self.object(id)?.barrier()?,
            Order::Run(id, case) => running::case(self.object(id)?, self.binary()?, &case)?,
            Order::Barriers(id, turns, blocks, late) => {
                running::barriers(self.object(id)?, self.binary()?, turns, blocks, late)?;
            }
            Order::Launch(id, launch) => run(self.object(id)?, self.binary()?, &launch)?,
            Order::Start(id, launch) => {
                let (object, binary) = (self.object(id)?.clone(), self.binary()?.clone());
                self.started = Some(std::thread::spawn(move || run(&object, &binary, &launch)));
            }
            Order::End => {
                let started = self.started.take().ok_or_else(|| missing("launch"))?;
                started.join().map_err(|_| Failure::wrong("the launch panicked"))??;
            }
            Order::Environment(name, value) => set(&name, value.as_deref()),
            Order::Put(id, rank, offset, bytes) => {
                let object = self.object(id)?;
                object.pool().put(&bytes, Gva(object.address(Rank(rank))?.0 + offset))?;
            }
            Order::Await(id, rank, offset, bytes) => self.await_bytes(id, rank, offset, &bytes)?,
            Order::Finish => return self.finish(),
        }
        Ok(Answer::Done)
    }

    fn init(&mut self, init: &Init, device: u16) -> Result<(), Failure> {
        let rank = Rank(init.rank.ok_or_else(|| missing("rank"))?);
        let config = Config::new(&init.url, init.world)
            .rank(rank)
            .device(device)
            .start_store(init.start_store)
            .init_timeout(Duration::from_millis(init.init_ms))
            .create_timeout(Duration::from_millis(init.create_ms))
            .control_timeout(Duration::from_millis(init.control_ms));
        let context = Context::init(config)?;
        // Kernels that were built otherwise, for example with a sanitizer.
        let file = std::env::var_os(FILE_VARIABLE).map(PathBuf::from);
        let code = match &file {
            Some(file) => Code::File(file),
            None => Code::Bytes(mf_device_kernels::simulated().map_err(Failure::wrong)?),
        };
        self.binary = Some(Binary::load(context.devices(), code)?);
        self.context = Some(context);
        Ok(())
    }

    fn create(&mut self, id: u32, local_bytes: u64) -> Result<(), Failure> {
        let context = self.context.as_ref().ok_or_else(|| missing("context"))?;
        let (rank_size, rank) = (context.world_size(), context.rank());
        let options = Options { id, rank_size, rank, local_bytes, data_ops: DATA_OP_MTE };
        self.objects.insert(id, context.create(options)?);
        Ok(())
    }

    fn await_bytes(&self, id: u32, rank: u32, offset: u64, bytes: &[u8]) -> Result<(), Failure> {
        let object = self.object(id)?;
        let place = Gva(object.address(Rank(rank))?.0 + offset);
        let mut found = vec![0; bytes.len()];
        let came = deadline::wait_until(|| object.pool().get(place, &mut found).is_ok() && found == bytes);
        if came {
            Ok(())
        } else {
            Err(Failure::wrong(format!("{found:02x?} stays in the place of {bytes:02x?}")))
        }
    }

    /// Releases everything, in a program's order, and reports leaks.
    fn finish(&mut self) -> Result<Answer, Failure> {
        for object in std::mem::take(&mut self.objects).into_values() {
            object.destroy();
        }
        self.binary = None;
        if let Some(context) = self.context.take() {
            context.shutdown();
        }
        let mut remains = Vec::new();
        deadline::wait_until(|| {
            remains = Census::take().since(&self.at_start);
            remains.is_empty()
        });
        Ok(Answer::Remains(remains))
    }

    fn object(&self, id: u32) -> Result<&ShareMemory, Failure> {
        self.objects.get(&id).ok_or_else(|| missing("object"))
    }

    fn binary(&self) -> Result<&Binary, Failure> {
        self.binary.as_ref().ok_or_else(|| missing("binary"))
    }
}

fn run(object: &ShareMemory, binary: &Binary, launch: &Launch) -> Result<(), Failure> {
    let mut arguments = Arguments::new();
    for argument in &launch.arguments {
        arguments = match argument {
            Argument::U32(value) => arguments.u32(*value),
            Argument::U64(value) => arguments.u64(*value),
            Argument::In(rank, offset) => {
                arguments.address(Gva(object.address(Rank(*rank))?.0.wrapping_add(*offset)))
            }
        };
    }
    let timeout = launch.timeout_ms.map(Duration::from_millis);
    let options = LaunchOptions { blocks: launch.blocks, timeout, stream: None };
    // SAFETY: the simulator checks what kernels touch, and the object's memory stays until the launch has
    // ended.
    Ok(unsafe { object.launch(binary, &launch.kernel, &arguments, &options) }?)
}

/// Kernels look at some variables with each launch, and no launch runs now.
fn set(name: &str, value: Option<&str>) {
    match value {
        // SAFETY: the test orders it while nothing of this process reads its environment.
        Some(value) => unsafe { std::env::set_var(name, value) },
        // SAFETY: the test orders it while nothing of this process reads its environment.
        None => unsafe { std::env::remove_var(name) },
    }
}

fn missing(what: &str) -> Failure {
    Failure::wrong(format!("this rank has no {what}"))
}
