/**
 * English beyond stems, for the alignment: forms of irregular verbs, words of the same meaning, opposites, and verbs that say the
 * same from the other side. Data only; each row is a group. Incomplete by nature: a missing word makes a true statement "not
 * found", never a false one "found".
 */

/** Forms of one verb or noun. */
export const irregularForms = `
add added adds adding|beat beaten|be am is are was were been being|have has had|do does did done|go goes went gone|become became|begin began begun|break broke broken
bring brought|build built|buy bought|catch caught|choose chose chosen|come came|cost costs|cut cuts|dig dug|draw drew drawn|drink drank drunk
drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown|forbid forbade forbidden
forget forgot forgotten|freeze froze frozen|get got|give gave given|grow grew grown|hang hung|hear heard|hide hid hidden|hold held
keep kept|know knew known|lead led|learn learnt|leave left leaving|lend lent|lie lay lain|light lit|lose lost losing|make made making|mean meant
meet met|pay paid|put puts|read reads|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|sell sold|send sent
set sets|shake shook|shine shone|shoot shot|show showed shown|shut shuts|sing sang sung|sink sank sunk|sit sat|sleep slept|speak spoke spoken
spend spent|stand stood|steal stole stolen|strike struck|swear swore sworn|swim swam swum|take took taken taking|teach taught|tear tore torn
tell told|think thought|throw threw thrown|understand understood|wake woke woken|wear wore worn|win won|write wrote written writing
die died dies dying|child children|man men|woman women|person people|foot feet|life lives|wife wives`

/** The same meaning in most notes. */
export const synonyms = `
buy purchase acquire|begin start commence|end finish complete conclude|build construct erect|big large|small little|job work employment
employ hire|car automobile|doctor physician|child kid|say state argue tell claim declare remark note mention|ask request
answer reply respond|show display|discover find detect|get receive obtain|give hand donate present|lead head direct
leader head chief director|repair mend fix|destroy ruin wreck demolish|injure hurt wound|dead death die|kill murder|help assist aid
assistant helper aide|spouse husband|need require|let allow permit|forbid prohibit ban|keep retain|stop halt|move relocate shift transfer
postpone delay defer|change alter|depart leave|arrive reach|fall drop decline decrease sink fell|rise increase grow climb|beat defeat
raise grow|fast quick rapid|enrol enroll recruit|salary wage pay earn|hour h hourly|month monthly|year yearly annual annually annum
day daily|week weekly|minute min|price cost|total sum|picture image photo|town city|road street|firm company business|ship vessel boat
house home|shop store|way run route path|fund finance pay|study research|approve accept|reject refuse|dismiss fire sack|call name
common frequent|today nowadays|near close|happy glad|mistake error|locate situate|consist comprise contain include|dig excavate
founded establish|author writer|pull drag|trial study|live reside dwell|speak talk|select choose pick|use employ utilize|holiday vacation
way road|roughly about approximately|visitor guest|lift elevator|flat apartment|lawyer attorney|film movie|autumn fall|begin launch
quit resign leave|reveal disclose|assert claim|order command|boss chief|appoint name|expand enlarge|shrink reduce lower cut
deliver ship send|replace swap|remove delete|make produce|invent devise|happen occur|try attempt|like enjoy|watch observe|see observe spot
amount quantity|crash fail|work function|supply provide|marry wed`

/** A statement with one of them is not supported by a text with the other, unless one of the two is negated. */
export const opposites = `
open close|open shut|approve reject|accept reject|allow forbid|allow ban|permit forbid|increase decrease|rise fall|add remove|fast slow
faster slower|win lose|buy sell|start end|begin end|high low|higher lower|early late|north south|east west|left right|old new
older younger|large small|largest smallest|import export|arrive depart|arrive leave|enter leave|love hate|true false|hot cold|warm cold
wet dry|full empty|alive dead|male female|husband wife|father mother|son daughter|brother sister|king queen|minimum maximum|inside outside
guilty innocent|safe dangerous|legal illegal|success failure|succeed fail|pass fail|cheap expensive|cheaper dearer`

/** The same event from both sides: subject and object change places. */
export const converses = `buy sell|give receive|lend borrow|teach learn|beat lose|send receive|employ work|follow precede|pay receive`

/** They say nothing by themselves; on top of the stop words of retrieval. */
export const functionWords = `
every may might can could will would shall should must cannot also yet still already just even ever mr mrs ms miss dr prof sir madam o'clock
called named there here one's it's is's upon among per within toward towards now currently so far s t etc via let
der die das des dem den ein eine einer eines einem einen und oder ist sind war waren wird werden wurde wurden von vom zu zum zur im in am an auf mit
für über sie er es seit als auch nach bei aus
le la les l un une des du de d et ou est sont a été par en au aux dans sur pour il elle ce cette son sa ses s'y y où qui que
el los las lo una del al y o es fue son su sus se en con por para
и в на у о с к по из за от до при был была было были это его её он она`

export const negators = `
not no never except excluding nobody none nothing neither nor without cannot hardly nowhere
nicht kein keine keinen keiner keinem keines nie niemals ohne nichts
pas jamais aucun aucune sans rien
nunca sin ningún ninguna nada
не нет ни без никогда
不 没 無 非`

/** Before a noun, they give its role. */
export const prepositions = `
from to by of in on at with for before after above below over under against than until till since into behind as between into onto off during about per via through`

/** Pairs that must not be confused. */
export const opposedPrepositions = `from to|before after|above below|over under|before behind|until since|with without|until from|till from|since until`

/** They begin a sentence that continues about somebody. */
export const pronouns = `he she it they his her its their him them this these that those both together we i you er sie es sein ihr il elle son sa su его её он она 他 她 彼 彼女`
