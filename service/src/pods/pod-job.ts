import { randomBytes, randomInt } from "node:crypto";
import { trustRepositories } from "../processes/program-user.js";
import { asFields, asList, type PodSettings } from "./pod-settings.js";
import { resourcesOf } from "./pod-resources.js";
import { podFolder, type PodStep, type PodStepSettings, podStepVariable } from "./pod-step.js";
import { type PodWork } from "./pod-work.js";

/** The pod of the worker, which owns its Jobs: Kubernetes deletes them together with it. */
export interface WorkerPod {
    readonly name: string;
    readonly uid: string;
    /** An address that other pods reach. */
    readonly address: string;
}

interface JobRequest {
    readonly work: PodWork;
    readonly step: PodStepSettings;
    readonly owner: WorkerPod;
    /** How long the pod may wait for a node. */
    readonly maxWaitSeconds: number;
}

/** The label of a Job with the worker's pod. */
export const ownerLabel = "static-export/worker";

/**
 * A Job for one command. Its pod fetches the checkout, runs the command in the operator's image, and sends the output.
 * The containers run one after the other, so that no process of the command runs when the output is read, and only the
 * first and the last have the token.
 */
export function createJob(
    request: JobRequest,
    settings: PodSettings,
): {
    readonly metadata: { readonly name: string; readonly labels: object; readonly ownerReferences: object[] };
} & Record<string, unknown> {
    const { work, owner, maxWaitSeconds } = request;
    const { kind, jobId } = work;
    const { metadata, pod, ttlSecondsAfterFinished } = settings;
    const { timeoutSeconds, diskMegabytes } = work.limits;
    const name = `${kind}-${jobId.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`.slice(0, 50);
    const labels = { ...asFields(metadata["labels"]), "static-export/job": jobId };
    const volume = { emptyDir: { sizeLimit: `${diskMegabytes}Mi` } };
    return {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: {
            name: `${name}-${randomBytes(4).toString("hex")}`,
            labels: { ...labels, [ownerLabel]: owner.uid },
            ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: owner.name, uid: owner.uid }],
        },
        spec: {
            // A command that was lost starts again in another Job, if at all.
            backoffLimit: 0,
            activeDeadlineSeconds: maxWaitSeconds + timeoutSeconds,
            ttlSecondsAfterFinished,
            template: {
                metadata: { ...metadata, labels },
                spec: {
                    ...pod,
                    securityContext: ownSecurityContext(pod),
                    restartPolicy: "Never",
                    automountServiceAccountToken: false,
                    enableServiceLinks: false,
                    terminationGracePeriodSeconds: 5,
                    activeDeadlineSeconds: timeoutSeconds,
                    tolerations: [
                        ...asList(pod["tolerations"]),
                        // The worker notices a lost node sooner than after the usual five minutes.
                        ...["not-ready", "unreachable"].map((state) => ({
                            key: `node.kubernetes.io/${state}`,
                            operator: "Exists",
                            effect: "NoExecute",
                            tolerationSeconds: 30,
                        })),
                    ],
                    initContainers: [transferContainer("receive", request, settings), mainContainer(request, settings)],
                    containers: [transferContainer("send", request, settings)],
                    volumes: [{ name: "work", ...volume }, { name: "tmp", ...volume }, ...asList(pod["volumes"])],
                },
            },
        },
    };
}

/** Ids that the runtime has in every user namespace, above those of images. */
const ownUsers = { first: 20_000, count: 40_000 };

/**
 * Gives a pod a user that is seldom another pod's, because the kernel counts some things by user, such as watches of
 * files. With a user namespace, the pod has such a user anyway, and without `runAsUser`, the cluster chooses one.
 */
function ownSecurityContext({ securityContext, hostUsers }: PodSettings["pod"]): object {
    const given = asFields(securityContext);
    return typeof given["runAsUser"] === "number" && hostUsers !== false
        ? { ...given, runAsUser: ownUsers.first + randomInt(ownUsers.count) }
        : given;
}

const volumeMounts = [
    { name: "work", mountPath: podFolder },
    { name: "tmp", mountPath: "/tmp" },
];

/** The limits of a container's disk, for the `work` and `tmp` volumes, and a request that nodes have room for. */
function diskOf({ limits }: PodWork) {
    return {
        // Without a request, Kubernetes reserves the limit.
        request: { "ephemeral-storage": "256Mi" },
        limit: { "ephemeral-storage": `${2 * limits.diskMegabytes}Mi` },
    };
}

/** The container before or after the command. */
function transferContainer(
    kind: PodStep,
    { work, step }: JobRequest,
    { containers, main, transferImage }: PodSettings,
): object {
    const disk = diskOf(work);
    return {
        ...containers,
        name: kind,
        image: transferImage,
        args: ["work", "--pod-step", kind],
        env: [
            { name: "HOME", value: "/tmp" },
            { name: podStepVariable, value: literal(JSON.stringify(step)) },
        ],
        resources: resourcesOf(
            { cpu: "50m", memory: "128Mi", ...disk.request },
            // A quota for processors admits no container without a limit.
            { ...asFields(asFields(main["resources"])["limits"]), memory: "512Mi", ...disk.limit },
        ),
        terminationMessagePolicy: "FallbackToLogsOnError",
        volumeMounts,
    };
}

/** A text in which Kubernetes replaces neither `$(NAME)` nor `$$`. */
function literal(text: string): string {
    return text.replaceAll("$", "$$$$");
}

/** The variables whose values are in the settings, and not in Secrets. */
function valuesOf(env: unknown): Record<string, string> {
    const named = asList(env).map(asFields);
    return Object.fromEntries(
        named.flatMap(({ name, value }) => (typeof value === "string" ? [[String(name), value]] : [])),
    );
}

function mainContainer({ work }: JobRequest, { containers, main, image, secretEnv }: PodSettings): object {
    const resources = asFields(main["resources"]);
    const disk = diskOf(work);
    const { memoryMegabytes } = work.limits;
    return {
        ...containers,
        ...main,
        name: work.kind,
        image: work.image ?? image,
        command: work.command.map(literal),
        workingDir: podFolder,
        env: [
            ...Object.entries(work.variables).map(([name, value]) => ({ name, value: literal(value) })),
            ...asList(main["env"]),
            ...Object.entries(trustRepositories(valuesOf(main["env"]))).map(([name, value]) => ({ name, value })),
            ...work.environment.map((variable) => ({
                name: variable,
                valueFrom: { secretKeyRef: secretEnv[variable] },
            })),
        ],
        resources: {
            ...resources,
            ...resourcesOf(
                { ...disk.request, ...asFields(resources["requests"]) },
                {
                    ...asFields(resources["limits"]),
                    ...(memoryMegabytes === undefined ? {} : { memory: `${memoryMegabytes}Mi` }),
                    ...disk.limit,
                },
            ),
        },
        volumeMounts: [...volumeMounts, ...asList(main["volumeMounts"])],
    };
}
