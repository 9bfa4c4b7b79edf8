import { deploymentTypes } from "@pulumi-static-export/contract";
import { Option } from "commander";

/** @param what - the exports of the command, such as "bundles are" */
export function deploymentOption(what: string): Option {
    return new Option("--deployment <type>", `the deployment that ${what} for; air-gapped: no search, no Try it`)
        .choices(deploymentTypes)
        .default("client-hosted");
}
