import type * as pulumi from "@pulumi/pulumi";
import { type DeploymentType, featureMatrix, type SiteFeatures } from "@pulumi-static-export/contract";
import { recordOf } from "./chart.js";
import { findUnknown, isPlainRecord } from "./known-record.js";

/** A server for programs in every pod, at the site's own address. Needs Kubernetes 1.29 or later. */
export interface SiteAnswerArgs {
    /**
     * An image with the `static-export` command, in the form of the chart's values: `repository`, and `tag` or
     * `digest`.
     */
    image: pulumi.Input<Record<string, pulumi.Input<string>>>;
    /** The container's resources, in the form of Kubernetes. */
    resources?: pulumi.Input<Record<string, unknown>>;
}

const inputs = ["image", "resources"];

/** The inputs that decide whether programs are answered. */
export interface AnswerInputs {
    /** As the program gave it. */
    answer?: unknown;
    values?: unknown;
    deploymentType: unknown;
    features?: SiteFeatures | undefined;
    /** Whether the chart is the one of this package, or a copy of it. */
    takesDigest: boolean;
}

/** Why the site cannot answer programs like this, or undefined. */
export function findAnswerProblem(given: AnswerInputs): string | undefined {
    const { answer, values, deploymentType, features = {}, takesDigest } = given;
    if (answer === undefined) {
        return undefined;
    }
    if (!isPlainRecord(answer)) {
        return "answer must be an object that is known while the program runs, with image";
    }
    if (recordOf(values).answer !== undefined) {
        return "answer and values.answer must not both be set: move values.answer's settings to answer";
    }
    if (!takesDigest) {
        return (
            "answer needs the chart in this package, whose pods have the server for programs. If chart is a copy of it, " +
            "set chartTakesDigest to true"
        );
    }
    const { title, ...availability } = featureMatrix.documentationSearch;
    if (availability[deploymentType as DeploymentType] === "unavailable") {
        return `answer needs ${title.toLowerCase()}, which is unavailable in deployments of type ${String(deploymentType)}`;
    }
    if (features.documentationSearch === false) {
        return "answer needs features.documentationSearch, which is false: remove one of them";
    }
    return (
        findUnknown("answer", answer, inputs) ?? (answer.image === undefined ? "answer.image is required" : undefined)
    );
}

/** The chart's values for the server, none without the input. */
export function answerValues<Text>({ answer, domain }: { answer?: object | undefined; domain?: Text }): {
    answer?: object;
} {
    return answer === undefined ? {} : { answer: { ...answer, enabled: true, domain } };
}
