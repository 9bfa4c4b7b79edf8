import { randomBytes } from "node:crypto";
import { type BuilderSettings } from "@pulumi-static-export/exporter";
import { BuildCaches } from "../builds/build-caches.js";
import { placeVariables, usualVariables } from "../builds/build-environment.js";
import { asFields, asList, type BuildPods } from "./build-pods.js";
import { containerCommand } from "../builds/build-script.js";
import { type BuildStep, type BuildStepSettings, buildStepVariable, podFolder, podPlaces } from "./build-step.js";
import { type SiteBuild } from "../builds/site-build.js";

/** The pod of the worker, which owns the Jobs of its builds: Kubernetes deletes them together with it. */
export interface WorkerPod {
    readonly name: string;
    readonly uid: string;
    /** An address that other pods reach. */
    readonly address: string;
}

interface JobRequest {
    readonly jobId: string;
    readonly build: SiteBuild;
    /** How to build the site, with the folder of the command in the checkout. */
    readonly settings: BuilderSettings;
    /** The checkout and the folder of the command on this machine. */
    readonly here: { readonly root: string; readonly base: string };
    readonly step: BuildStepSettings;
    readonly owner: WorkerPod;
    /** How long the pod may wait for a node. */
    readonly maxWaitSeconds: number;
}

/** The label of a build's Job with the worker's pod. */
export const ownerLabel = "static-export/worker";
export const buildContainer = "build";

const gitSafe = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "safe.directory", GIT_CONFIG_VALUE_0: "*" };

/**
 * The Job of one build. Its pod fetches the checkout, runs the builder in the operator's image, and sends the output.
 * The containers run one after the other, so that no process of the build runs when the output is read, and only the
 * first and the last have the token.
 */
export function createBuildJob(
    request: JobRequest,
    pods: BuildPods,
): {
    readonly metadata: { readonly name: string; readonly labels: object; readonly ownerReferences: object[] };
} & Record<string, unknown> {
    const { jobId, build, owner, maxWaitSeconds } = request;
    const { metadata, pod, ttlSecondsAfterFinished } = pods;
    const { timeoutSeconds, diskMegabytes } = build.limits;
    const name = `build-${jobId.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`.slice(0, 50);
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
            // A build that was lost starts again in another Job.
            backoffLimit: 0,
            activeDeadlineSeconds: maxWaitSeconds + timeoutSeconds,
            ttlSecondsAfterFinished,
            template: {
                metadata: { ...metadata, labels },
                spec: {
                    ...pod,
                    restartPolicy: "Never",
                    automountServiceAccountToken: false,
                    enableServiceLinks: false,
                    terminationGracePeriodSeconds: 5,
                    activeDeadlineSeconds: timeoutSeconds,
                    tolerations: [
                        ...asList(pod["tolerations"]),
                        // The build starts again on another node sooner than after the usual five minutes.
                        ...["not-ready", "unreachable"].map((state) => ({
                            key: `node.kubernetes.io/${state}`,
                            operator: "Exists",
                            effect: "NoExecute",
                            tolerationSeconds: 30,
                        })),
                    ],
                    initContainers: [transferContainer("receive", request, pods), builderContainer(request, pods)],
                    containers: [transferContainer("send", request, pods)],
                    volumes: [{ name: "work", ...volume }, { name: "tmp", ...volume }, ...asList(pod["volumes"])],
                },
            },
        },
    };
}

const volumeMounts = [
    { name: "work", mountPath: podFolder },
    { name: "tmp", mountPath: "/tmp" },
];

/** The limits of a container's disk, for the `work` and `tmp` volumes, and a request that nodes have room for. */
function diskOf({ limits }: SiteBuild) {
    const megabytes = 2 * limits.diskMegabytes;
    return {
        // Without a request, Kubernetes reserves the limit.
        request: { "ephemeral-storage": `${Math.min(megabytes, 256)}Mi` },
        limit: { "ephemeral-storage": `${megabytes}Mi` },
    };
}

/** The container before or after the build. */
function transferContainer(
    kind: BuildStep,
    { build, step }: JobRequest,
    { containers, builder, transferImage }: BuildPods,
): object {
    const disk = diskOf(build);
    return {
        ...containers,
        name: kind,
        image: transferImage,
        args: ["work", "--build-step", kind],
        env: [
            { name: "HOME", value: "/tmp" },
            { name: buildStepVariable, value: JSON.stringify(step) },
        ],
        resources: {
            requests: { cpu: "50m", memory: "128Mi", ...disk.request },
            // A quota for processors admits no container without a limit.
            limits: { ...asFields(asFields(builder["resources"])["limits"]), memory: "512Mi", ...disk.limit },
        },
        terminationMessagePolicy: "FallbackToLogsOnError",
        volumeMounts,
    };
}

function builderContainer(
    { build, settings, here, step }: JobRequest,
    { containers, builder, image, secretEnv }: BuildPods,
): object {
    const { root, base, home, cache } = podPlaces(podFolder, step.baseFolder);
    const resources = asFields(builder["resources"]);
    const disk = diskOf(build);
    const variables = {
        ...usualVariables(home),
        ...build.variables,
        ...placeVariables({ base, home, temporary: "/tmp" }),
        ...gitSafe,
    };
    return {
        ...containers,
        ...builder,
        name: buildContainer,
        image: build.image ?? image,
        command: containerCommand(settings, here, { base, root }, BuildCaches.restoreScript(cache)),
        workingDir: podFolder,
        env: [
            ...Object.entries(variables).map(([variable, value]) => ({ name: variable, value })),
            ...asList(builder["env"]),
            ...build.environment.map((variable) => ({
                name: variable,
                valueFrom: { secretKeyRef: secretEnv[variable] },
            })),
        ],
        resources: {
            ...resources,
            requests: { ...disk.request, ...asFields(resources["requests"]) },
            limits: {
                ...asFields(resources["limits"]),
                memory: `${build.limits.memoryMegabytes}Mi`,
                ...disk.limit,
            },
        },
        volumeMounts: [...volumeMounts, ...asList(builder["volumeMounts"])],
    };
}
