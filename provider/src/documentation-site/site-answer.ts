import type * as pulumi from "@pulumi/pulumi";
import { type DeploymentType, featureMatrix, type SiteFeatures } from "@pulumi-static-export/contract";
import { recordOf } from "./chart.js";
import { findUnknown, isPlainRecord } from "./known-record.js";

/** A server for programs in every pod, at the site's own address. Needs Kubernetes 1.29 or later. */
export interface SiteAnswerArgs {
    /** An image with the `static-export` command: `repository`, and `tag` or `digest`. */
    image: pulumi.Input<Record<string, pulumi.Input<string>>>;
    /** Answers readers' questions from the pages that they may read. */
    assistant?: SiteAssistantArgs;
    /** The container's resources, in the format of Kubernetes. */
    resources?: pulumi.Input<Record<string, unknown>>;
}

/** A model that answers readers. The model's key is never an input: it is in a Secret in the cluster. */
export interface SiteAssistantArgs {
    /** An OpenAI-compatible endpoint, which receives the questions and pages. */
    endpoint: pulumi.Input<string>;
    /** The endpoint's model. */
    model: pulumi.Input<string>;
    /** The name of a Secret in the release's namespace with the endpoint's key as `api-key`. */
    existingSecret?: pulumi.Input<string>;
    /** An e-mail address or URL for questions that the pages do not answer. */
    support?: pulumi.Input<string>;
    /**
     * How many questions a reader may ask per minute.
     * @default 20
     */
    requestsPerMinute?: pulumi.Input<number>;
    /**
     * How many questions all readers of a pod may ask per hour.
     * @default 1000
     */
    questionsPerHour?: pulumi.Input<number>;
    /**
     * How many tokens one answer may use.
     * @default 100000
     */
    tokensPerAnswer?: pulumi.Input<number>;
    /**
     * Time limit for one answer, in seconds.
     * @default 120
     */
    secondsPerAnswer?: pulumi.Input<number>;
    /**
     * Logs each question, and whether the pages answered it.
     * @default false
     */
    logQuestions?: pulumi.Input<boolean>;
}

const inputs = ["image", "assistant", "resources"];
const requiredOfAssistant = ["endpoint", "model"];
const assistantInputs = [
    ...requiredOfAssistant,
    ...["existingSecret", "support", "requestsPerMinute", "questionsPerHour", "tokensPerAnswer", "secondsPerAnswer"],
    "logQuestions",
];

/** The inputs that determine whether the site answers programs. */
export interface AnswerInputs {
    /** The value from the program, unchecked. */
    answer?: unknown;
    values?: unknown;
    deploymentType: unknown;
    features?: SiteFeatures | undefined;
    /** Whether the chart is this package's own chart or a copy of it. */
    takesDigest: boolean;
}

/** Returns why the site cannot answer programs with these inputs, or undefined. */
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
        findUnknown("answer", answer, inputs) ??
        (answer.image === undefined ? "answer.image is required" : findAssistantProblem(answer.assistant, features))
    );
}

function findAssistantProblem(assistant: unknown, { aiAssistant }: SiteFeatures): string | undefined {
    if (assistant === undefined) {
        return undefined;
    }
    if (!isPlainRecord(assistant)) {
        return "answer.assistant must be an object that is known while the program runs";
    }
    if (aiAssistant === false) {
        return "answer.assistant needs features.aiAssistant, which is false: remove one of them";
    }
    const missing = requiredOfAssistant.find((name) => assistant[name] === undefined || assistant[name] === "");
    return (
        findUnknown("answer.assistant", assistant, assistantInputs) ??
        (missing === undefined ? undefined : `answer.assistant.${missing} is required`)
    );
}

/** Returns the setting that an enabled feature still lacks, for a warning, or undefined if no setting is missing. */
export function findMissingSetting({ answer, values, features = {}, takesDigest }: AnswerInputs): string | undefined {
    const given = recordOf(answer ?? recordOf(values).answer);
    const { endpoint } = recordOf(given.assistant);
    return features.aiAssistant === true && takesDigest && (endpoint === undefined || endpoint === "")
        ? "features.aiAssistant is true, but the site has no assistant: set answer.assistant to an endpoint with a model."
        : undefined;
}

/** Returns the chart's values for the server, or an empty object if the input is not set. */
export function answerValues<Text>({ answer, domain }: { answer?: object | undefined; domain?: Text }): {
    answer?: object;
} {
    return answer === undefined ? {} : { answer: { ...answer, enabled: true, domain } };
}
