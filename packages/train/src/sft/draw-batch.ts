/** Batch number `step` of a stage: a pure function of configuration, prose, encoder and seed. */
import { createRandom, makeFact, type Random } from '@memagent/tasks'
import type { SftStage } from './config.ts'
import {
  answerGroup,
  copyGroup,
  type Group,
  groupLength,
  type LessonEncoder,
  lessonGroup,
  type PackedBatch,
  packGroups,
} from './pack-lessons.ts'
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

/** A lesson, trimmed to the row, and what fills up the row behind it. */
function drawRow(source: BatchSource, stage: SftStage, random: Random): Group[] {
  const lesson = drawFittingLesson(source, stage, random)
  const groups = [lesson]
  let room = stage.rowTokens - groupLength(lesson)
  for (let i = 0; i < stage.copies && room >= 24; i++) {
    const times = 2
    const length = 8 + random.int(Math.min(64, Math.floor(room / times) - 8) || 1)
    const tokens = Array.from({ length }, () => random.int(source.vocabularySize))
    groups.push(copyGroup(tokens, times))
    room -= length * times
  }
  for (let i = 0; i < 2; i++) {
    const answer = drawAnswer(source, random)
    const length = groupLength(answer)
    if (length > room) break
    groups.push(answer)
    room -= length
  }
  return groups
}

function drawFittingLesson(source: BatchSource, stage: SftStage, random: Random): Group {
  let characters = Math.floor(stage.sectionTokens * source.charactersPerToken * (0.6 + 0.4 * random.next()))
  for (;;) {
    const lesson = drawLesson(source.prose, random, {
      split: source.split,
      templates: source.templates,
      sectionCharacters: characters,
      questions: stage.questions,
      families: stage.families,
      presentShare: stage.presentShare,
      plainShare: stage.plainShare,
      looseShare: stage.looseShare,
      wordSaladShare: stage.wordSaladShare,
      emptyMemory: source.emptyMemory,
    })
    const group = lessonGroup(lesson, source.encoder, stage.sectionTokens)
    if (group) {
      const branches = [...group.branches]
      while (branches.length > 1 && groupLength({ ...group, branches }) > stage.rowTokens) branches.pop()
      const trimmed = { ...group, branches }
      if (groupLength(trimmed) <= stage.rowTokens) return trimmed
    }
    characters = Math.floor(characters * 0.85)
  }
}

function drawAnswer(source: BatchSource, random: Random): Group {
  const fact = makeFact(random, { split: source.split, templates: source.templates })
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
