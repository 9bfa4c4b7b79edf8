import { describeProgram } from "../support/describe-program.js";
import { go } from "../support/program-languages.js";

describeProgram(go);
