import { Arm64 } from "./support/arm64.js";
import { describeSystem } from "./support/describe-system.js";

const folders = ["contract", "policy", "provider", "sdk", "cli"];

describeSystem(
    "arm64, under QEMU",
    (suite) => Arm64.install(suite),
    folders.map((name) => ({ name, isLong: false })),
);
