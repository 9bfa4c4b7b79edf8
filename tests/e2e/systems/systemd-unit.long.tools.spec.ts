import { debian } from "./support/distributions.js";
import { describeUnit } from "./support/unit/describe-unit.js";

describeUnit(debian);
