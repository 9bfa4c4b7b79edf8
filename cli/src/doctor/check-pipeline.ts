import { findPipelineRun, runVariable } from "@pulumi-static-export/contract";
import { type Finding, ok, warning } from "./finding.js";

/** Checks whether a pipeline's next run would find the job of a run whose machine was lost. */
export function checkPipeline(env: NodeJS.ProcessEnv): Finding {
    const run = findPipelineRun(env);
    if (run !== undefined) {
        return ok(
            "pipeline",
            `${run} identifies this run, so that any machine finds the jobs of the run if the platform honours ` +
                "Idempotency-Key",
        );
    }
    if (env["CI"]) {
        return warning(
            "pipeline",
            "CI is set, but no variable identifies this run: if the machine is lost, the job is started again",
            `Set ${runVariable} to a value that stays the same when the run is repeated, such as the commit.`,
        );
    }
    return ok("pipeline", "none: the journal on this machine finds the jobs of runs that were killed");
}
