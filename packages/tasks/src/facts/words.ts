/** Word lists that names and values are composed from. Tables only. */
const words = (text: string): readonly string[] => text.trim().split(/\s+/)

export const womensNames = words(`
Anna Marta Elena Sofia Ingrid Clara Nora Alice Ruth Helen Judith Priya Amara Leila Yuki Mei Hana Rosa Lucia Carmen Ines Beatriz
Fatima Zainab Aisha Noor Salma Olga Irina Katya Vera Milena Agnes Greta Astrid Freya Sigrid Maeve Niamh Siobhan Eleanor Harriet
Beatrice Winifred Dorothy Josephine Margot Colette Simone Odette Camille Renata Paola Giulia Chiara Daria Oksana Ludmila Tamsin
Imogen Philippa Rosalind Cordelia Matilda Henrietta Abigail Naomi Miriam Esther Hannah Tabitha Phoebe Daphne Thalia Xenia Zora
`)
export const mensNames = words(`
Thomas Martin Peter Paul Samuel Daniel Oscar Victor Hugo Felix Jonas Lukas Anton Emil Otto Karl Erik Lars Sven Nils Henrik Anders
Mikkel Tobias Gregor Stefan Marek Pavel Tomasz Jakub Andrei Nikolai Dmitri Ivan Boris Yusuf Omar Karim Tariq Hassan Ravi Arjun
Vikram Sanjay Kenji Hiroshi Takeshi Wei Jun Minh Duc Mateo Diego Rafael Joaquin Esteban Marco Luca Matteo Giorgio Pierre Antoine
Etienne Laurent Bastien Alistair Callum Duncan Fergus Angus Rhys Gareth Owen Silas Jasper Edmund Rupert Cedric Ambrose Theodore
Ezra Caleb Josiah Levi Amos Isaac Desmond Kwame Kofi Tunde Chidi Sipho Thabo Malik Idris Cyrus Darius Bruno Cesar Leon Conrad
`)
export const firstNames = [...womensNames, ...mensNames]

export const surnames = words(`
Mott Keller Finch Archer Barlow Castell Drummond Ellery Fairfax Garrick Hollis Ingram Jarvis Kessler Lindqvist Marlowe Norris
Okafor Petrov Quill Ramsey Sandoval Thorne Underhill Vance Whitlock Yates Zimmer Abara Bergstrom Calloway Delacroix Esposito
Falk Grimaldi Hargreaves Ishikawa Jansen Kowalski Laurent Moreau Nakamura Ortega Pemberton Quintana Rousseau Silva Tanaka Ueda
Varga Winslow Xu Yamada Zeller Adeyemi Banerjee Chowdhury Dvorak Eriksen Fontaine Gallagher Haddad Ivanova Jimenez Kaplan Lowell
Mbeki Novak Osei Patel Rahman Sorensen Tremblay Ulrich Vasquez Wexler Ashdown Blackwood Crane Dunmore Everett Frost Greaves
Hawthorn Iverson Jessop Kingsley Larkin Merrick Nettleton Oakes Prescott Ridley Stroud Tillman Upton Vickers Wardle Alder
Birch Cobb Dale Elm Flint Gale Heath Ives Judd Kemp Locke Marsh Nash Orme Pike Rook Slade Tate Vole Webb York
`)

/** Openings and endings of made-up surnames, towns and brands. */
export const syllables = words(`
al an ar bel bor bran cal car cor dal dan del dor el en er fal far fen gal gar gil hal har hel il in jan jor kal kel ker kor lan
lor mal mar mel mor nal nar nel nor ol or pal par pel quil ral ran rel ros sal san sel sor tal tan tel tor ul ur val var vel vor
wen wil yar yel zan zel bri cla cro dre flo gra kle pra sta tri ska sve tha whe
`)
export const surnameEndings = words(`
sen son berg mann ley ton worth field well ford ski ova escu aki oto ez ini elli ard ette ault dal lund strom gren wick low man
`)
export const townEndings = words(`
ton ford ham wick by vale field mouth bridge haven port bury stead holm dale burg stad berg ville mere ness combe gate cliff
well worth minster borough wood moor brook
`)
export const realTowns = words(`
Lisbon Oslo Bergen Ghent Krakow Turin Seville Porto Lyon Basel Graz Riga Tallinn Vilnius Bruges Antwerp Utrecht Leiden Malmo
Uppsala Aarhus Odense Tampere Turku Galway Cork Belfast Cardiff Leeds Bristol Exeter Durham Dundee Perth Inverness Aberdeen
Boston Denver Portland Savannah Tucson Omaha Memphis Tulsa Duluth Halifax Calgary Quebec Toronto Winnipeg Lima Cusco Quito Bogota
Santiago Valparaiso Montevideo Rosario Recife Dakar Accra Lagos Nairobi Kampala Lusaka Harare Windhoek Tunis Rabat Cairo Amman
Beirut Muscat Doha Karachi Lahore Delhi Mumbai Pune Jaipur Colombo Dhaka Hanoi Hue Manila Cebu Osaka Kyoto Nara Sapporo Busan
Seoul Taipei Perth Hobart Adelaide Darwin Auckland Dunedin Suva Naples Palermo Bari Split Zadar Ljubljana Zagreb Sofia Varna
`)

export const adjectives = words(`
amber ancient ashen autumn bitter blazing blue bold bright broken bronze calm clever cobalt cold copper coral crimson crooked
crystal curious dapper dark daring deep distant drifting dusty eager early eastern emerald empty endless faded fallen fierce
final flying foggy forgotten frozen gentle gilded glad golden grand gray green hallowed happy hasty hidden hollow honest humble
icy idle iron ivory jade jolly keen kindly last late lavish leaden little lively lonely long lost lucky lunar marble mellow merry
mighty misty modest mossy mute narrow nimble noble northern old open orange pale patient pearl plain polar proud quick quiet rapid
red restless rising roaming rough round royal rusty sable salty scarlet secret shaded sharp shining silent silver simple sleepy
slow small smiling smoky solar solid southern spare stark steady steep still stone stormy strange strong sturdy sunny swift tall
tame tawny tender thin thorny timid tranquil twin upper vast velvet violet wandering warm wary western white wild windy winter
wise wistful witty wooden yellow young zealous
`)
export const nouns = words(`
anchor anvil apple arrow aspen badger bay beacon bear bell birch bison boulder bridge brook cabin candle canyon castle cedar cliff
clover comet compass condor coral crane creek crescent crow crown daisy dawn deer delta desert dove dragon drum dune eagle echo
elm ember falcon feather fern field finch fjord flame flint forest forge fountain fox garden gate glacier glen goose granite
grove gull harbor hare harvest hawk hazel heart heron hill hollow horizon horse island ivy jackal jaguar juniper kestrel key
kite lagoon lake lantern lark laurel leaf lemon leopard lighthouse lily linden lion lotus lynx magnet maple marsh meadow meteor
mill mirror moon moose mountain nebula needle nest oak oasis ocean olive orchard orchid osprey otter owl palm panther path peak
pebble pelican phoenix pilot pine planet plover plum pond poplar prairie quarry quartz rabbit rain raven reef ridge river robin
rocket rose sail salmon sand scholar sea shadow shell shore sky sparrow spring spruce squirrel star stone stork storm stream
summit sun swallow swan temple thistle thunder tiger torch tower trail tree trout tulip turtle valley vine violin walnut wave
whale wheat willow wind window wing wolf wren yard zenith
`)
export const plainNouns = words(`
table ladder bottle hammer kettle basket bucket pencil mirror blanket pillow carpet curtain shelf drawer button zipper thread
needle ribbon saddle bridle wagon barrel crate hinge latch socket wrench pulley lever piston gasket valve nozzle funnel siphon
beaker goblet platter saucer teapot ladle skillet griddle whisk grater spatula cleaver apron napkin
`)

export const buildingTypes = words(`
warehouse marina library clinic hotel museum theatre depot laboratory archive observatory brewery bakery mill factory school
chapel stadium garage shelter workshop pavilion gallery greenhouse hostel lodge boathouse vault hangar cottage villa bungalow
distillery foundry aquarium cinema gymnasium tannery annex
`)
export const eventTypes = [
  ...words(
    'regatta marathon conference festival auction symposium tournament exhibition gala hackathon derby concert fair',
  ),
  'chess open',
  'film festival',
  'book fair',
  'poetry slam',
  'trade summit',
  'bicycle race',
  'science fair',
  'baking contest',
  'flower show',
  'charity run',
]
export const serviceTypes = words(`
gateway service database cache scheduler broker proxy cluster indexer exporter collector worker registry dashboard bridge relay
backend daemon pipeline resolver notifier mailer crawler ingester
`)
export const serviceNames = words(`
billing payments orders inventory catalog search session identity audit metrics telemetry report export import ledger pricing
shipping notification image video archive backup staging analytics fraud loyalty customer partner vendor invoice booking
calendar messaging routing geo weather sensor thumbnail upload download license feature config
`)
export const machineTypes = words(`
lathe press turbine compressor generator printer scanner drill loom crane excavator tractor pump boiler furnace oven conveyor
mixer grinder welder router camera telescope microscope drone scooter bicycle kayak stove heater lamp clock radio piano accordion
cello centrifuge spectrometer forklift mower kiln
`)
export const jobs = [
  ...words(`
architect carpenter plumber electrician nurse surgeon dentist pharmacist librarian teacher geologist botanist astronomer chemist
pilot sailor fisherman beekeeper gardener baker butcher brewer tailor cobbler weaver potter sculptor painter photographer cellist
pianist violinist drummer composer novelist poet journalist translator interpreter accountant auditor banker lawyer judge notary
detective firefighter paramedic postman locksmith watchmaker blacksmith welder mechanic machinist surveyor cartographer archivist
statistician veterinarian shepherd vintner chef waiter barber glazier roofer mason tiler upholsterer bookbinder printer typesetter
falconer jockey ferryman lighthouse-keeper glassblower goldsmith jeweller optician midwife physiotherapist economist linguist
`),
  'civil engineer',
  'tax adviser',
  'stage designer',
  'tram driver',
  'crane operator',
  'marine biologist',
  'software engineer',
  'piano tuner',
  'wedding planner',
  'customs officer',
  'patent attorney',
  'sound technician',
  'primary school teacher',
  'park ranger',
  'air traffic controller',
  'sports journalist',
  'insurance broker',
  'speech therapist',
]
export const languages = words(`
Portuguese Norwegian Danish Swedish Finnish Estonian Latvian Lithuanian Polish Czech Slovak Hungarian Romanian Bulgarian Serbian
Croatian Slovene Albanian Greek Turkish Armenian Georgian Persian Arabic Hebrew Amharic Somali Swahili Yoruba Igbo Hausa Zulu
Xhosa Afrikaans Malagasy Hindi Urdu Bengali Punjabi Gujarati Marathi Tamil Telugu Kannada Malayalam Sinhala Nepali Tibetan
Burmese Thai Lao Khmer Vietnamese Malay Indonesian Tagalog Cebuano Maori Samoan Tongan Hawaiian Japanese Korean Mandarin
Cantonese Mongolian Kazakh Uzbek Ukrainian Russian Belarusian Icelandic Faroese Irish Welsh Breton Basque Catalan Galician
Italian Maltese Dutch Frisian Luxembourgish German Yiddish French Spanish Quechua Aymara Guarani Nahuatl Navajo Cree Inuktitut
`)
export const colours = words(`
red crimson scarlet maroon pink salmon orange amber ochre yellow gold cream beige brown chestnut olive green emerald teal
turquoise cyan blue navy indigo violet purple lilac mauve magenta white ivory grey silver charcoal black
`)
export const colourShades = words('pale light dark deep bright dull soft faded glossy matt')
export const foods = words(`
saffron cardamom nutmeg cinnamon ginger turmeric cumin fennel tarragon rosemary thyme sage oregano basil mint dill parsley
coriander sumac paprika vanilla honey molasses tamarind mustard horseradish wasabi capers anchovies olives almonds hazelnuts
walnuts pistachios chestnuts raisins figs dates apricots quince plums cherries cranberries lemon lime grapefruit pomegranate
coconut buttermilk ricotta feta halloumi yoghurt miso seaweed juniper lavender rosewater cloves allspice aniseed chicory beetroot
`)
export const foodTouches = words(
  'smoked roasted dried candied pickled ground fresh toasted salted crushed grated powdered wild',
)
export const dishes = [
  ...words(
    'stew soup pie tart cake bread curry salad casserole risotto goulash chowder pudding relish chutney stuffing sauce',
  ),
  'noodle soup',
  'fish soup',
  'lamb roast',
  'apple cake',
  'bean stew',
]
export const cargoes = words(`
timber coal grain wheat barley rice sugar coffee cocoa cotton wool copper steel cement gravel salt sulphur fertiliser bananas
oranges apples potatoes onions frozen-fish machinery tractors bicycles furniture tiles glassware paper rubber bauxite granite
marble olive-oil wine whisky tea tobacco leather
`).map((word) => word.replace('-', ' '))
export const instruments = words(`
cello violin viola oboe bassoon clarinet flute piccolo trumpet trombone tuba harp piano accordion banjo mandolin guitar lute
ukulele sitar marimba xylophone organ harpsichord saxophone bagpipes zither theremin harmonica timpani
`)
export const months = words(
  'January February March April May June July August September October November December',
)
export const weekdays = words('Monday Tuesday Wednesday Thursday Friday Saturday Sunday')
export const keepsakes = words(`
diary necklace sword crown key map manuscript medal ring chalice telescope violin portrait dagger clock locket ledger statue
flag tapestry brooch compass vase seal helmet bible album globe lantern goblet banner testament sextant coin mask
`)
