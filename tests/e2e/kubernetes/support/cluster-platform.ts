import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server } from "node:net";
import { pipeline } from "node:stream";
import { type ServiceOptions } from "@pulumi-static-export/service";
import { Platform } from "../../support/platform.js";
import { type LocalCluster } from "./shared-cluster.js";

/**
 * The real admin service: pods reach its bundles by the address that this machine has for them, and Pulumi programs its
 * API by loopback, because the client sends no key over plain HTTP to anywhere else.
 */
export class ClusterPlatform {
    private constructor(
        readonly platform: Platform,
        private readonly forwarder: Server,
    ) {}

    static async start({ hostAddress }: LocalCluster, options: Partial<ServiceOptions> = {}): Promise<ClusterPlatform> {
        const platform = await Platform.start({ ...options, host: hostAddress });
        const { hostname, port } = new URL(platform.service.url);
        const forwarder = createServer((socket) => {
            const target = connect(Number(port), hostname);
            // A client that goes away in the middle is no error of the spec.
            pipeline(socket, target, socket, () => undefined);
        });
        await once(forwarder.listen(0, "127.0.0.1"), "listening");
        return new ClusterPlatform(platform, forwarder);
    }

    get baseUrl(): string {
        return `http://127.0.0.1:${(this.forwarder.address() as AddressInfo).port}`;
    }

    count(operation: string): number {
        return this.platform.count(operation);
    }

    async stop(): Promise<void> {
        this.forwarder.close();
        await this.platform.stop();
    }
}
