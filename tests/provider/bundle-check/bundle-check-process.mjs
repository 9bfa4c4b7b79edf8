// A provider process in the middle of a check, started as Pulumi starts it, with the engine's address as its first argument.
import { bundleCheck } from "pulumi-static-export/lifecycle";

await bundleCheck.create({ jobId: "se_42" });
