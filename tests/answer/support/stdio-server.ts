import { serveMcpOverStdio } from "../../../answer/src/index.js";
import { siteWithReaders, withAnsweredSite } from "./answered-site.js";
import { once } from "node:events";

await withAnsweredSite(siteWithReaders, async (site) => {
    serveMcpOverStdio({ site, version: "1.2.3" }, console.error);
    await once(process.stdin, "close");
});
