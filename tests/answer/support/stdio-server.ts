import { serveMcpOverStdio } from "../../../answer/src/index.js";
import { siteWithReaders, withAnsweredSite } from "./answered-site.js";

await withAnsweredSite(siteWithReaders, (site) => serveMcpOverStdio({ site, version: "1.2.3" }, console.error).closed);
