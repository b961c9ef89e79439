/** Batch number `step` of a stage: a pure function of configuration, prose, encoder and seed. */
import { createFact, createRandom, type Random } from '@memagent/tasks'
import { groupLength } from '../pack-rows.ts'
import { roomBesideSection, type SftStage } from './config.ts'
import type { LessonEncoder } from './lesson-encoder.ts'
import { answerGroup, type Group, lessonGroups } from './lesson-groups.ts'
import { type PackedBatch, packGroups } from './pack-lessons.ts'
import type { Prose } from './prose-passages.ts'
import { drawLesson, type LessonOptions } from './reading-lesson.ts'
import type { ResponseWriter } from './response-writers.ts'
import { drawTaskLesson, type TaskLessonSource } from './task-lessons.ts'

export interface BatchSource {
  readonly prose: Prose
  readonly encoder: LessonEncoder
  readonly emptyMemory: string
  readonly writer: ResponseWriter
  /** Needed by stages that teach skills. */
  readonly skills?: TaskLessonSource | undefined
  readonly notFound: string
  /** Average characters of a token, to size sections. */
  readonly charactersPerToken: number
  readonly split: LessonOptions['split']
  readonly templates: LessonOptions['templates']
}

/** Documents drawn for skills. */
export interface DrawnDocuments {
  readonly drawn: number
  /** Documents that gave no lesson because they cannot be read perfectly. */
  readonly passedOver: number
  /** Conversations left out because they are longer than a row. */
  readonly tooLong: number
}

export interface DrawnBatch extends PackedBatch {
  readonly documents: DrawnDocuments
}

export async function drawBatch(
  source: BatchSource,
  stage: SftStage,
  seed: number,
  step: number,
): Promise<DrawnBatch> {
  const random = createRandom(seed, 'batch', step)
  const rows: Group[][] = []
  const waiting: Group[] = []
  const documents = { drawn: 0, passedOver: 0, tooLong: 0 }
  while (rows.length < stage.rows) rows.push(await drawRow(source, stage, random, waiting, documents))
  return { ...packGroups(rows.flat(), stage.rowTokens), documents }
}

/**
 * Draws as many lessons as fit a row; questions about a memory alone fill the rest.
 * @param waiting groups that did not fit earlier rows; changed in place
 * @param documents counters, changed in place
 */
async function drawRow(
  source: BatchSource,
  stage: SftStage,
  random: Random,
  waiting: Group[],
  documents: { -readonly [Count in keyof DrawnDocuments]: number },
): Promise<Group[]> {
  const groups: Group[] = []
  let room = stage.rowTokens
  const add = (group: Group) => {
    const fits = groupLength(group) <= room
    if (fits) {
      groups.push(group)
      room -= groupLength(group)
    }
    return fits
  }
  for (const group of waiting.splice(0)) if (!add(group)) waiting.push(group)
  for (let misses = 0; misses < 3 && room > roomBesideSection + 24; ) {
    if (stage.skillShare > 0 && random.chance(stage.skillShare)) {
      const groups = await drawTaskLesson(source.skills!, stage, random)
      documents.drawn++
      if (groups.length === 0) documents.passedOver++
      const left = groups.filter((group) => !add(group))
      const fitting = left.filter((group) => groupLength(group) <= stage.rowTokens)
      waiting.push(...fitting)
      documents.tooLong += left.length - fitting.length
      if (left.length === groups.length) misses++
      continue
    }
    const longest = Math.min(stage.sectionTokens, room - roomBesideSection)
    if (!drawLessonGroups(source, stage, random, longest).filter(add).length) misses++
  }
  for (let i = 0; i < 2; i++) add(drawAnswer(source, random))
  return groups
}

function drawLessonGroups(
  source: BatchSource,
  stage: SftStage,
  random: Random,
  sectionTokens: number,
): Group[] {
  const lesson = drawLesson(source.prose, random, {
    ...stage,
    split: source.split,
    templates: source.templates,
    sectionCharacters: Math.floor(sectionTokens * source.charactersPerToken * (0.5 + 0.4 * random.next())),
    emptyMemory: source.emptyMemory,
  })
  const groups = lessonGroups(lesson, source, sectionTokens)
  return random.chance(stage.hintShare) ? groups : groups.map((group) => ({ ...group, hints: [] }))
}

function drawAnswer(source: BatchSource, random: Random): Group {
  const fact = createFact(random, { split: source.split, templates: source.templates })
  const empty = random.int(4) === 0
  return answerGroup(
    {
      question: fact.question(random).text,
      memory: new Map(empty ? [] : [['fact', fact.value]]),
      answer: empty ? source.notFound : fact.value,
    },
    source,
  )
}
