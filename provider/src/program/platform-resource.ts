import * as pulumi from "@pulumi/pulumi";
import { resourceModule } from "@pulumi-static-export/contract";
import { pauseStackTraces, traced } from "./stack-traces.js";

/** @internal The base class of this package's resources. */
export abstract class PlatformResource extends pulumi.dynamic.Resource {
    protected constructor(
        provider: pulumi.dynamic.ResourceProvider,
        name: string,
        props: pulumi.Inputs,
        opts: pulumi.CustomResourceOptions | undefined,
        type: string,
    ) {
        const resume = pauseStackTraces();
        try {
            super(provider, name, props, opts, resourceModule, type);
        } catch (error) {
            resume();
            throw traced(error);
        } finally {
            resume();
        }
    }
}
