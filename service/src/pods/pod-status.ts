import { beginningOf } from "@pulumi-static-export/contract";
import { asFields, asList } from "./pod-settings.js";
import { type PodKind } from "./pod-work.js";
import { sayReached } from "../shared/reached-limit.js";

/** The progress of a pod. */
export type PodStatus =
    /**
     * @property hasNode whether it waits only for its node, for example to pull an image
     * @property isStuck whether it waits for something that seldom comes, such as a missing image
     */
    | { readonly kind: "waiting"; readonly reason: string; readonly hasNode: boolean; readonly isStuck: boolean }
    /** The command runs, or has ended well. */
    | { readonly kind: "working" }
    /** @property reason after "The build" or "The agent" */
    | { readonly kind: "failed"; readonly reason: string; readonly hasLog: boolean }
    /** The pod was ended for a reason that is not the command's. */
    | { readonly kind: "lost"; readonly reason: string };

interface ContainerState {
    readonly name: string;
    readonly waiting?: { readonly reason: string; readonly message: string };
    readonly isRunning: boolean;
    readonly terminated?: { readonly exitCode: number; readonly reason: string; readonly message: string };
}

/** Reasons for which a container does not start. */
const stuckReasons =
    /^(?:ErrImage\w*|ImagePullBackOff|ImageInspectError|InvalidImageName|CreateContainer\w*|RunContainerError)$/;

/** What the kubelet says of a volume, of a pod and of a container. */
const diskExcess = /exceeds the (?:total )?limit|exceeded its local ephemeral storage limit/;

/** Of containers that ended unseen, such as those of a node that has restarted. Their exit codes are invented. */
const unseenReasons = new Set(["ContainerStatusUnknown", "Unknown"]);

/** Of containers that end because their pod is deleted: SIGKILL and SIGTERM. */
const deletionCodes = new Set([137, 143]);

/** @param limits of the command, for the reason of a failure */
export function readPodStatus(
    pod: unknown,
    what: PodKind,
    limits: { readonly timeoutSeconds: number; readonly memory: string },
): PodStatus {
    const { metadata, status } = asFields(pod);
    const { phase, reason: podReason = "", message: podMessage = "", conditions } = asFields(status);
    const containers = containersOf(asFields(status));
    const find = (name: string) => containers.find((each) => each.name === name);
    const [main, receive, send] = [find(what), find("receive"), find("send")];
    const [reason, message] = [String(podReason), String(podMessage).trim()];
    if (reason === "DeadlineExceeded") {
        const isBegun = [receive, main].some((each) => each?.isRunning === true || each?.terminated !== undefined);
        const why = "the events of its pod give the reason, such as a missing volume";
        return fail(
            isBegun
                ? sayReached("time", limits.timeoutSeconds)
                : `did not begin within ${limits.timeoutSeconds} s: ${why}`,
            main,
        );
    }
    if (reason === "Evicted" && diskExcess.test(message)) {
        return fail(`${sayReached("disk", "its limit")}: ${message}`, main);
    }
    const disruption = asList(conditions)
        .map(asFields)
        .find(({ type, status: isTrue }) => type === "DisruptionTarget" && isTrue === "True");
    const isDeleted = asFields(metadata)["deletionTimestamp"] !== undefined;
    const ended = main?.terminated;
    // Before Kubernetes 1.26, an evicted pod has only a reason, which the end of a command does not give to its pod.
    const isEvicted = disruption !== undefined || (phase === "Failed" && reason !== "");
    const unseen = containers.find((each) => unseenReasons.has(each.terminated?.reason ?? ""))?.terminated;
    const isOwnEnd =
        ended !== undefined &&
        !isEvicted &&
        unseen === undefined &&
        !(isDeleted && deletionCodes.has(ended.exitCode) && ended.reason !== "OOMKilled");
    if (isOwnEnd && ended.exitCode !== 0) {
        if (ended.reason === "OOMKilled") {
            return fail(sayReached("memory", limits.memory), main);
        }
        const isStarted = !/^(?:StartError|ContainerCannotRun)$/.test(ended.reason);
        return fail(isStarted ? `exited with code ${ended.exitCode}` : `cannot be started: ${ended.message}`, main);
    }
    if (isEvicted || isDeleted || unseen !== undefined) {
        const described = describe(disruption, message || reason || unseen?.message || "its node has restarted");
        return { kind: "lost", reason: `Kubernetes has ended the ${what}'s pod (${described})` };
    }
    for (const [container, what] of [
        [receive, "could not get its checkout"],
        [send, "could not send its output"],
    ] as const) {
        const { exitCode = 0, reason: why = "", message: text = "" } = container?.terminated ?? {};
        if (exitCode !== 0) {
            return fail(`${what}: ${beginningOf(text.trim(), 500) || why}`, main);
        }
    }
    if (phase === "Failed") {
        return { kind: "lost", reason: `The ${what}'s pod has failed (${describe(undefined, message)})` };
    }
    const scheduled = asList(conditions)
        .map(asFields)
        .find(({ type }) => type === "PodScheduled");
    const hasNode = scheduled?.["status"] === "True";
    const waiting = containers.find((each) => stuckReasons.test(each.waiting?.reason ?? ""))?.waiting;
    if (waiting !== undefined) {
        return { kind: "waiting", reason: `${waiting.reason}: ${waiting.message}`, hasNode, isStuck: true };
    }
    if (main?.isRunning === true || ended !== undefined) {
        return { kind: "working" };
    }
    return { kind: "waiting", reason: describe(scheduled, "its pod does not start"), hasNode, isStuck: false };
}

function fail(reason: string, main: ContainerState | undefined): PodStatus {
    return { kind: "failed", reason, hasLog: main?.isRunning === true || main?.terminated !== undefined };
}

function describe(condition: Readonly<Record<string, unknown>> | undefined, otherwise: string): string {
    const { message, reason } = condition ?? {};
    const text = [message, reason].find((each): each is string => typeof each === "string" && each !== "");
    return (text ?? (otherwise || "it was deleted")).replace(/\.$/, "");
}

function containersOf(status: Readonly<Record<string, unknown>>): ContainerState[] {
    return [...asList(status["initContainerStatuses"]), ...asList(status["containerStatuses"])].map((each) => {
        const { name, state } = asFields(each);
        const { waiting, running, terminated } = asFields(state);
        const textsOf = (value: unknown) => {
            const { reason = "", message = "", exitCode = 0 } = asFields(value);
            return { reason: String(reason), message: String(message), exitCode: Number(exitCode) };
        };
        return {
            name: String(name),
            isRunning: running !== undefined,
            ...(waiting === undefined ? {} : { waiting: textsOf(waiting) }),
            ...(terminated === undefined ? {} : { terminated: textsOf(terminated) }),
        };
    });
}
