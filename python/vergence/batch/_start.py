# SPDX-License-Identifier: Apache-2.0
"""Starts or joins Ray, and says which actors a run wants."""

import contextlib
import logging
import os
import sys
import warnings

from .._errors import ArgumentError, DeviceError, UnsupportedError


@contextlib.contextmanager
def started(told):
    """A Cluster for a command line; what was started is ended."""
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else Ray warns of a change to come
    try:
        import ray
    except ImportError:
        raise UnsupportedError("Ray is not installed: pip install vergence[ray]") from None
    from ._cluster import Cluster

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        local = {"include_dashboard": False} if told.address == "local" else {}
        try:  # what Ray prints is not the report
            with contextlib.redirect_stdout(sys.stderr):
                ray.init(address=told.address, log_to_driver=False, logging_level=logging.ERROR, **local)
        except (ConnectionError, ValueError, RuntimeError, OSError) as error:
            raise DeviceError(f"Ray at {told.address} cannot be used: {str(error).splitlines()[0]}") from None
    try:
        cluster = Cluster(groups(told, ray.cluster_resources()), (told.settings, told.out), told.timeout)
        try:
            yield cluster
        finally:
            cluster.close()
    finally:
        ray.shutdown()


def groups(told, room):
    """Groups of actors for --device, --workers, --threads, --gpu-share and --verify-share."""
    from ._cluster import Group

    names = told.device.split(",")
    if "auto" in names:
        names = ["cuda"] if room.get("GPU") else ["cpu"]
    found = []
    for name in names:
        on_gpu = name.startswith(("cuda", "opencl"))
        if not on_gpu and name not in ("cpu", "reference"):
            raise ArgumentError(f"--device {name} is not known: auto, cpu, cuda, opencl or opencl:NAME, separated by commas")
        if on_gpu and not room.get("GPU"):
            raise DeviceError(f"--device {name}: the cluster has no GPU that Ray knows of: start its nodes with --num-gpus, or use cpu")
        found.append(Group("cuda:0" if name == "cuda" else name, 1 if on_gpu else told.threads, told.gpu_share if on_gpu else 0, told.workers))
    # Those on GPUs come first: they need a core each.
    found.sort(key=lambda group: -group.gpus)
    if told.verify_share > 0:
        device = told.verify_device or ("cpu" if found[0].gpus else "reference")
        if device in {group.device for group in found}:
            return found
        found.append(Group(device, 0.01, 0, 2, verifier=True))
    return found
