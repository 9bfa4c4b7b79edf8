// This import comes first, because the imports after it load Pulumi's SDK.
import "./lean-sdk.js";
import { PolicyPack } from "@pulumi/policy";
import { policies } from "./policies/index.js";

new PolicyPack("pulumi-static-export", { policies });
