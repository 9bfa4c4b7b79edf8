import { ownProjectBlocks, type OwnLanguage, WrittenPackages } from "../../docs/support/own-project.js";
import { isLong } from "../../scale.js";

/** The others take minutes, so they run only in `npm run test:all`. */
const languages: OwnLanguage[] = isLong ? ["typescript", "yaml", "python"] : ["typescript"];

describe("the steps of docs/own-project.md in an empty home directory", function () {
    this.timeout(30 * 60_000);
    let packages: WrittenPackages;

    before(async () => {
        packages = await WrittenPackages.write();
    });

    after(() => packages.remove());

    for (const language of languages) {
        it(`preview, export, change and destroy a site in ${language}`, async () => {
            const reader = await packages.openReader();
            try {
                await packages.follow(reader, ownProjectBlocks("clone", language));
            } finally {
                await reader.leave();
            }
        });
    }
});
