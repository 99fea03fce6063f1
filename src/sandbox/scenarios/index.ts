export { renderScenarioFault } from './format/reading.js';
export type { ScenarioFault } from './format/reading.js';
export type { DecisionPattern, TimeWindow } from './format/decision.js';
export { renderDuration } from './format/duration.js';
export type {
  CallExpectation,
  EventExpectation,
  Expectations,
  HowOften,
  LogExpectation,
  ReasonExpectation,
  StateExpectation,
} from './format/expect-shape.js';
export { scenarioSchema, scenarioSchemaText } from './format/json-schema.js';
export type { Settings } from './format/settings-shape.js';
export { programActs } from './format/story-shape.js';
export type { ProgramAct } from './format/story-shape.js';
export type { GroupDocument } from './format/world-shape.js';
export { readStories } from './read-stories.js';
export type { StoriesResult } from './read-stories.js';
export { isApiCall } from './stage/api-script.js';
export { namesGroup } from './stage/cloud-script.js';
export { StoryWorld } from './stage/story-world.js';
export { DELETION_CANDIDATE_TAINT, TO_BE_DELETED_TAINT } from './stage/taints.js';
export type { Step, Story } from './story.js';
