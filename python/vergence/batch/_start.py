# SPDX-License-Identifier: Apache-2.0
"""Starts or joins Ray, and says which actors a run wants."""

import contextlib
import logging
import os
import signal
import sys
import warnings

from .._errors import ArgumentError, DeviceError, UnsupportedError
from ._arguments import on_gpu
from ._store import Store


@contextlib.contextmanager
def started(told, journal=None):
    """A Cluster for a command line, whose workers' journals are beside `journal`; what was started is ended."""
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else Ray warns of a change to come
    try:
        import ray
    except ImportError:
        raise UnsupportedError("Ray is not installed: pip install vergence[ray]") from None
    from ._cluster import Cluster

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        local = {"include_dashboard": False} if told.address == "local" else {}
        at_sigterm = signal.getsignal(signal.SIGTERM)
        try:
            ray.init(address=told.address, log_to_driver=False, logging_level=logging.ERROR, **local)
        except Exception as error:
            cure = "" if told.address in ("local", "auto") or "RAY_AUTH_MODE" in os.environ else "; a cluster with a token needs RAY_AUTH_MODE=token"
            raise DeviceError(f"Ray at {told.address} cannot be used: {(str(error).splitlines() or [type(error).__name__])[0]}{cure}") from None
        except SystemExit:  # so Ray's own handler ends a start
            if callable(at_sigterm):
                at_sigterm(signal.SIGTERM, None)
            raise
        finally:
            signal.signal(signal.SIGTERM, at_sigterm)  # Ray has put one of its own there
    try:
        out = Store(told.out).root  # workers stand in other folders
        cluster = Cluster(groups(told, ray.cluster_resources()), (told.settings, out), told.timeout, journal=journal)
        try:
            yield cluster
        finally:
            cluster.close()
    finally:
        ray.shutdown()


def groups(told, room):
    """Groups of actors for --device, --workers, --threads, --gpu-share and --verify-share; the verifiers' is the last one."""
    from ._cluster import Group

    names = told.device.split(",")
    if "auto" in names:
        names = ["cuda"] if room.get("GPU") else ["cpu"]
    if told.address == "local" and told.threads > room.get("CPU", 0) and not all(on_gpu(name) for name in names):
        raise ArgumentError(f"--threads is {told.threads}: this machine's Ray has {room.get('CPU', 0):g} cores, and each worker needs so many")

    def group(name, option, verifier=False):
        if on_gpu(name) and not room.get("GPU"):
            raise DeviceError(f"{option} {name}: the cluster has no GPU that Ray knows of: start its nodes with --num-gpus, or use cpu")
        cpus = 0.01 if verifier else 1 if on_gpu(name) else told.threads
        return Group("cuda:0" if name == "cuda" else name, cpus, told.gpu_share if on_gpu(name) else 0, 2 if verifier else told.workers, verifier)

    found = [group(name, "--device") for name in dict.fromkeys(names)]
    # Those on GPUs come first: they need a core each.
    found.sort(key=lambda one: -one.gpus)
    if told.verify_share > 0:
        verifier = group(told.verify_device or ("cpu" if found[0].gpus else "reference"), "--verify-device", verifier=True)
        if [verifier.device] == [one.device for one in found]:
            raise ArgumentError(f"--verify-device {told.verify_device}: the items are done on it: give another kind of device")
        if verifier.device not in [one.device for one in found]:
            found.append(verifier)
    return found
