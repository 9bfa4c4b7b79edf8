import assert from "node:assert/strict";
import { type Machine, missingRequirements } from "../../../dev/cluster/src/local/node/requirements.js";

const machine: Machine = {
    platform: "linux",
    architecture: "x64",
    userId: 0,
    isOnPath: () => Promise.resolve(true),
    mayMakeNamespaces: () => Promise.resolve(true),
};

describe("missingRequirements", () => {
    it("finds nothing missing on Debian as root", async () => {
        assert.deepEqual(await missingRequirements(machine), []);
    });

    it("on other systems, reports only that the system is not Linux", async () => {
        assert.deepEqual(await missingRequirements({ ...machine, platform: "darwin", userId: 501 }), [
            "it needs Linux, but this is darwin",
        ]);
    });

    it("lists all missing requirements together", async () => {
        const poor = {
            ...machine,
            architecture: "riscv64",
            userId: 1000,
            isOnPath: (program: string) => Promise.resolve(!["apt-get", "nsenter"].includes(program)),
        };
        assert.deepEqual(await missingRequirements(poor), [
            "it needs an x64 or arm64 processor, but this is riscv64",
            "apt-get (Debian or Ubuntu) is not installed",
            "nsenter is not installed",
            "it needs root (run it with sudo)",
        ]);
    });

    it("explains to root in a container why being root is not enough", async () => {
        assert.deepEqual(await missingRequirements({ ...machine, mayMakeNamespaces: () => Promise.resolve(false) }), [
            "root may not create namespaces here (a container needs to be privileged)",
        ]);
    });
});
