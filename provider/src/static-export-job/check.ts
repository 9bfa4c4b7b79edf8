import type { dynamic } from "@pulumi/pulumi";
import { checkBundle } from "../static-export-bundle/check.js";
import type { ExportJobInputs } from "./model.js";

const inputNames = ["domain", "version", "paths", "triggers", "__provider"];

/** Validates the inputs like the inputs of a bundle, and refuses the inputs that only a bundle has. */
export function checkJob(news: Record<string, unknown>): dynamic.CheckResult<ExportJobInputs> {
    const strange = Object.keys(news).filter(
        (name) => !inputNames.includes(name) && news[name] !== undefined && news[name] !== null,
    );
    const { inputs = news, failures = [] } = checkBundle(
        Object.fromEntries(Object.entries(news).filter(([name]) => inputNames.includes(name))),
    );
    const reason = "is not an input of a StaticExportJob. The inputs are domain, version, paths, triggers";
    return {
        inputs: inputs as ExportJobInputs,
        failures: [...failures, ...strange.map((property) => ({ property, reason }))],
    };
}
