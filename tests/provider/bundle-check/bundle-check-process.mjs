// A provider process in the middle of a check, started as Pulumi starts it: its first argument is the engine's address.
import { bundleCheck } from "pulumi-static-export/lifecycle";

await bundleCheck.create({ jobId: "se_42" });
