import { describeCleaning } from "./cases/cleaning.js";
import { describeKilledRuns } from "./cases/killed-runs.js";
import { describeNeighbours } from "./cases/neighbours.js";
import { describePublishing } from "./cases/publishing.js";
import { describeSharedPlaces } from "./cases/shared-places.js";
import { describeTwoRuns } from "./cases/two-runs.js";
import { describeUnpublishing } from "./cases/unpublishing.js";
import { describeWholeReleases } from "./cases/whole-releases.js";
import { useStorage } from "./support/places.js";

/** Each storage passes the same specs as a folder: see folder.process.spec.ts. */
for (const storage of ["S3-compatible storage", "Azure Blob Storage"] as const) {
    describe(`${storage} as a target`, function () {
        this.timeout(600_000);
        const createPlace = useStorage[storage]();
        describePublishing(createPlace);
        describeUnpublishing(createPlace);
        describeCleaning(createPlace);
        describeNeighbours(createPlace);
        describeSharedPlaces(createPlace, 5);
        describeTwoRuns(createPlace);
        describeKilledRuns(createPlace, 4);
        describeWholeReleases(createPlace, 4);
    });
}
