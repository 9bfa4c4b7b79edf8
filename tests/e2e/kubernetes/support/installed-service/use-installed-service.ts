import { postgresPrograms } from "../../../../service/support/postgres.js";
import { packPackages } from "../../../packages/support/packed-packages.js";
import { type LocalCluster, useSharedCluster } from "../shared-cluster.js";
import { InstalledService } from "./installed-service.js";
import { loadServiceImage } from "./service-image.js";

/**
 * Installs the service for the specs of a `describe` block, which is skipped if no PostgreSQL server is installed.
 * @param prepare - called once the service is ready
 */
export function useInstalledService(
    prepare: (service: InstalledService, cluster: LocalCluster) => Promise<void> = () => Promise.resolve(),
): () => InstalledService {
    const cluster = useSharedCluster();
    let service: InstalledService | undefined;
    before(async function () {
        this.timeout(20 * 60_000);
        if (postgresPrograms() === undefined) {
            this.skip();
        }
        await loadServiceImage(cluster(), (await packPackages()).cli);
        service = await InstalledService.install(cluster());
        await prepare(service, cluster());
    });
    after(() => service?.stop());
    return () => service as InstalledService;
}
