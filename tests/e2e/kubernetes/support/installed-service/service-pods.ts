import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { killContainer } from "@pulumi-static-export/cluster";
import { type Namespace } from "../namespace.js";

export const release = "exports";

export interface ServicePod {
    metadata: { name: string; deletionTimestamp?: string };
    status: { podIP?: string; containerStatuses?: { containerID: string; ready: boolean }[] };
}

/** The pods of an installed service, and ways to end them. */
export class ServicePods {
    constructor(private readonly namespace: Namespace) {}

    /** Lists the pods that are not terminating. */
    async list(component: string): Promise<ServicePod[]> {
        const selector = `--selector=app.kubernetes.io/instance=${release},app.kubernetes.io/component=${component}`;
        const text = await this.namespace.kubectl("get", "pods", selector, "--output=json");
        const { items } = JSON.parse(text) as { items: ServicePod[] };
        return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    }

    /** Waits until there are this many pods, and all of them are ready. */
    async ready(component: string, count: number): Promise<ServicePod[]> {
        for (;;) {
            const pods = await this.list(component);
            if (pods.length === count && pods.every(isReady)) {
                return pods;
            }
            await delay(500);
        }
    }

    logOf({ metadata }: ServicePod): Promise<string> {
        return this.namespace.kubectl("logs", metadata.name);
    }

    /** Kills a pod's container; resolves when Kubernetes has noticed. */
    async kill(component: string, pod: ServicePod | undefined): Promise<void> {
        const id = pod?.status.containerStatuses?.find(({ ready }) => ready)?.containerID;
        assert.ok(id !== undefined, `no container to kill in a pod of ${component}`);
        await killContainer(this.namespace.cluster, id);
        const runs = ({ status }: ServicePod) =>
            status.containerStatuses?.some((container) => container.ready && container.containerID === id);
        while ((await this.list(component)).some(runs)) {
            await delay(200);
        }
    }

    /** @returns whether the disruption budget allows the eviction now */
    evict(pod: ServicePod | undefined): Promise<boolean> {
        return this.namespace.evict(String(pod?.metadata.name));
    }

    async evictWhenAllowed(pod: ServicePod | undefined): Promise<void> {
        while (!(await this.evict(pod))) {
            await delay(500);
        }
    }
}

export function isReady({ status }: ServicePod): boolean {
    return status.containerStatuses?.every(({ ready }) => ready) === true;
}
