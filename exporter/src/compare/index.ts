export { compareSites } from "./compare-sites.js";
export { type ComparedSite, type PageOnDisk, SiteCollector } from "./compared-site.js";
export { type ComparedPage, type Comparison, type DeadLink } from "./comparison.js";
export { attribute, elementsIn } from "./page-elements.js";
