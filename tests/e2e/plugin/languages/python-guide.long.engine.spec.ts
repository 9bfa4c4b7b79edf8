import { describeProgram } from "../support/describe-program.js";
import { python } from "../support/program-languages.js";

describeProgram(python);
