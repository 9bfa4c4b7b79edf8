import * as pulumi from "@pulumi/pulumi";
import { resourceModule } from "@pulumi-static-export/contract";
import { type OutputTable, secretNames } from "../engine/resource-outputs.js";
import { assertUsable } from "./assert-usable.js";
import { warnOfClearSettings } from "./clear-settings.js";
import { findLostTrigger } from "./find-lost-trigger.js";
import { pauseStackTraces, traced } from "./stack-traces.js";

/** The provider, outputs and settings of a class of resources. */
export interface ResourceClass {
    readonly type: string;
    readonly provider: pulumi.dynamic.ResourceProvider;
    /** Pulumi sets only these properties, and the inputs. */
    readonly outputs: OutputTable;
    /** The secret settings that the resource reads, with the namespace. */
    readonly secretSettings: readonly string[];
}

/** @internal The base class of this package's resources. */
export abstract class PlatformResource extends pulumi.dynamic.Resource {
    /** @param problem - why Pulumi could not create the resource, as a sentence without a full stop */
    protected constructor(
        { type, provider, outputs, secretSettings }: ResourceClass,
        name: string,
        args: pulumi.Inputs,
        opts: pulumi.CustomResourceOptions | undefined,
        problem?: string,
    ) {
        assertUsable(type, name, problem ?? findLostTrigger(args));
        const props = { ...Object.fromEntries(Object.keys(outputs).map((output) => [output, undefined])), ...args };
        const additionalSecretOutputs = secretNames(outputs);
        const hasSecrets = additionalSecretOutputs.length > 0;
        const options = hasSecrets ? pulumi.mergeOptions(opts, { additionalSecretOutputs }) : opts;
        const resume = pauseStackTraces();
        try {
            super(provider, name, props, options, resourceModule, type);
        } catch (error) {
            resume();
            throw traced(error);
        } finally {
            resume();
        }
        warnOfClearSettings(secretSettings);
    }
}
