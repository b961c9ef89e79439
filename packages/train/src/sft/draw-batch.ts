/** Batch number `step` of a stage: a pure function of configuration, prose, encoder and seed. */
import { createFact, createRandom, type Random } from '@memagent/tasks'
import type { SftStage } from './config.ts'
import type { LessonEncoder } from './lesson-encoder.ts'
import { answerGroup, copyGroup, type Group, groupLength, lessonGroups } from './lesson-groups.ts'
import { type PackedBatch, packGroups } from './pack-lessons.ts'
import type { Prose } from './prose-passages.ts'
import { drawLesson, type LessonOptions } from './reading-lesson.ts'

export interface BatchSource {
  readonly prose: Prose
  readonly encoder: LessonEncoder
  readonly vocabularySize: number
  readonly emptyMemory: string
  readonly notFound: string
  /** Average characters of a token, to size sections. */
  readonly charactersPerToken: number
  readonly split: LessonOptions['split']
  readonly templates: LessonOptions['templates']
}

export function drawBatch(source: BatchSource, stage: SftStage, seed: number, step: number): PackedBatch {
  const random = createRandom(seed, 'batch', step)
  const groups = Array.from({ length: stage.rows }, () => drawRow(source, stage, random)).flat()
  return packGroups(groups, stage.rowTokens)
}

/** Tokens of a conversation besides its section: question, memories, responses. */
const roomBesideSection = 96

/** As many lessons as fit a row; short exercises fill the rest. */
function drawRow(source: BatchSource, stage: SftStage, random: Random): Group[] {
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
  for (let misses = 0; misses < 3 && room > roomBesideSection + 24; ) {
    const longest = Math.min(stage.sectionTokens, room - roomBesideSection)
    if (!drawLessonGroups(source, stage, random, longest).filter(add).length) misses++
  }
  for (let i = 0; i < stage.copies && room >= 24; i++) {
    const length = 8 + random.int(Math.min(64, Math.floor(room / 2) - 8) || 1)
    add(
      copyGroup(
        Array.from({ length }, () => random.int(source.vocabularySize)),
        2,
      ),
    )
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
    split: source.split,
    templates: source.templates,
    sectionCharacters: Math.floor(sectionTokens * source.charactersPerToken * (0.5 + 0.4 * random.next())),
    questions: stage.questions,
    families: stage.families,
    decoys: stage.decoys,
    presentShare: stage.presentShare,
    plainShare: stage.plainShare,
    looseShare: stage.looseShare,
    wordSaladShare: stage.wordSaladShare,
    strangeShare: stage.strangeShare,
    strangeValueShare: stage.strangeValueShare,
    emptyMemory: source.emptyMemory,
  })
  const groups = lessonGroups(lesson, source.encoder, sectionTokens)
  return random.chance(stage.hintShare) ? groups : groups.map((group) => ({ ...group, hints: [] }))
}

function drawAnswer(source: BatchSource, random: Random): Group {
  const fact = createFact(random, { split: source.split, templates: source.templates })
  const empty = random.int(4) === 0
  return answerGroup(
    {
      question: fact.question(random).text,
      memory: empty ? source.emptyMemory : fact.value,
      answer: empty ? source.notFound : fact.value,
    },
    source.encoder,
  )
}
