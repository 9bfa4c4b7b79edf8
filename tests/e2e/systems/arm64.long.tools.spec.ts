import { Arm64 } from "./support/arm64.js";
import { describeSystem } from "./support/describe-system.js";

const folders = ["contract", "policy", "provider", "sdk", "cli", "exporter"];

describeSystem(
    "arm64, under QEMU",
    (suite) => Arm64.install(suite),
    Object.fromEntries(folders.map((folder) => [folder, undefined])),
);
