import * as pulumi from "@pulumi/pulumi";
import { findInstallationProblem } from "./find-installation-problem.js";

/**
 * Stops a program before it registers a resource that Pulumi could not create.
 *
 * @param problem - what else is wrong, as a sentence without a full stop
 * @throws ResourceError - which Pulumi shows without a stack
 */
export function assertUsable(type: string, name: string, problem?: string): void {
    const found = findInstallationProblem() ?? problem;
    if (found !== undefined) {
        throw new pulumi.ResourceError(`${type} ${name}: ${found}.`, undefined, true);
    }
}
