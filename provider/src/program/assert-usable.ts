import * as pulumi from "@pulumi/pulumi";
import { findInstallationProblem } from "./find-installation-problem.js";

/**
 * Stops a program before it registers a resource that Pulumi could not create.
 *
 * @param problem - a further problem, as a sentence without a full stop
 * @throws ResourceError - Pulumi shows it without a stack trace
 */
export function assertUsable(type: string, name: string, problem?: string): void {
    const found = findInstallationProblem() ?? problem;
    if (found !== undefined) {
        throw new pulumi.ResourceError(`${type} ${name}: ${found}.`, undefined, true);
    }
}
