// A provider's process as Pulumi starts it, with the engine's address as its first argument, in the middle of a check.
import { bundleCheck } from "pulumi-static-export/lifecycle";

await bundleCheck.create({ jobId: "se_42" });
