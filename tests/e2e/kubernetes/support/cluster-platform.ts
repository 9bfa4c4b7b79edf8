import { type ServiceOptions } from "@pulumi-static-export/service";
import { Platform } from "../../support/platform.js";
import { Forwarder } from "./forwarder.js";
import { type LocalCluster } from "./shared-cluster.js";

/**
 * The real admin service. Pods fetch the service's bundles at this machine's address for pods; Pulumi programs use the
 * API on loopback, because the client sends no key to other addresses over plain HTTP.
 */
export class ClusterPlatform {
    private constructor(
        readonly platform: Platform,
        private readonly forwarder: Forwarder,
    ) {}

    static async start({ hostAddress }: LocalCluster, options: Partial<ServiceOptions> = {}): Promise<ClusterPlatform> {
        const platform = await Platform.start({ ...options, host: hostAddress });
        return new ClusterPlatform(platform, await Forwarder.start(() => new URL(platform.service.url)));
    }

    get baseUrl(): string {
        return this.forwarder.url;
    }

    count(operation: string): number {
        return this.platform.count(operation);
    }

    async stop(): Promise<void> {
        this.forwarder.stop();
        await this.platform.stop();
    }
}
