"""Makes the corpus of real files with the programs that people make files with, from the texts in `sources`.

    python3 generate.py

On Debian: apt-get install --no-install-recommends pandoc libreoffice-writer libreoffice-calc libreoffice-impress
python3-uno python3-nbformat chromium zip zstd git. Writes `corpus` and, into `corpus/VERSIONS`, which program of which version made what.
`facts.json` says what must be found in each file, and where.
"""
import email.message, email.policy, json, mailbox, os, pathlib, shutil, subprocess, tempfile, time

here = pathlib.Path(__file__).resolve().parent
sources, corpus = here / 'sources', here / 'corpus'
examples = here.parents[4] / 'examples'
work = pathlib.Path(tempfile.mkdtemp())
profile = f'-env:UserInstallation=file://{work}/profile'
# Files say when they were made; this keeps them the same where a program allows it.
environment = {**os.environ, 'SOURCE_DATE_EPOCH': '1700000000', 'TZ': 'UTC',
               'GIT_COMMITTER_DATE': '1700000000 +0000', 'GIT_AUTHOR_DATE': '1700000000 +0000'}


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, env=environment, **options)


def pandoc(source, target, *options):
    run('pandoc', '-s', sources / source, '-o', corpus / target, *options)


def soffice(source, target, form=None):
    """Converts by the ending of the target; `form` is a filter with its options."""
    ending = target.rsplit('.', 1)[1]
    run('soffice', profile, '--headless', '--convert-to', form or ending, '--outdir', work / 'out', source)
    shutil.move(work / 'out' / (pathlib.Path(source).stem + '.' + ending), corpus / target)


def chromium(page, target):
    run('chromium', '--headless', '--no-sandbox', '--disable-gpu', f'--user-data-dir={work}/chromium', '--no-pdf-header-footer',
        f'--print-to-pdf={corpus / target}', f'file://{page}')


def diary(text, target):
    """A page for each day of the example that README begins with."""
    title, *days = text.read_text('utf-8').strip().split('\n\n')
    pages = ''.join(f'<p style="break-after: page">{day}</p>' for day in days)
    (work / 'diary.html').write_text(
        f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>@page {{ size: A5 }}</style><h1>{title}</h1>{pages}</html>')
    chromium(work / 'diary.html', target)


def protected(source, target, form):
    """Only the programming interface of LibreOffice sets a password."""
    import uno
    from com.sun.star.beans import NamedValue, PropertyValue
    office = subprocess.Popen(['soffice', profile, '--headless', '--accept=socket,host=localhost,port=2419;urp;'])
    try:
        resolver = uno.getComponentContext().ServiceManager.createInstance('com.sun.star.bridge.UnoUrlResolver')
        for attempt in range(60):
            try:
                context = resolver.resolve('uno:socket,host=localhost,port=2419;urp;StarOffice.ComponentContext')
                break
            except Exception:
                time.sleep(1)
        desktop = context.ServiceManager.createInstance('com.sun.star.frame.Desktop')
        document = desktop.loadComponentFromURL(f'file://{source}', '_blank', 0, (PropertyValue('Hidden', 0, True, 0),))
        settings = {'FilterName': form, 'Password': 'velm'}
        if target.endswith('.docx'):
            data = (NamedValue('CryptoType', 'StrongEncryptionDataSpace'), NamedValue('OOXPassword', 'velm'))
            settings = {'FilterName': form, 'EncryptionData': uno.Any('[]com.sun.star.beans.NamedValue', data)}
        document.storeToURL(f'file://{corpus / target}', tuple(PropertyValue(name, 0, value, 0) for name, value in settings.items()))
        document.close(True)
    finally:
        # The office that was asked through a socket does not wait for its last answer to arrive.
        try:
            desktop.terminate()
        except Exception:
            pass
        office.wait(60)


def letter(subject, text, sender='Nora Weiss <nora@example.org>'):
    message = email.message.EmailMessage(policy=email.policy.SMTP)
    message['From'], message['To'], message['Subject'] = sender, 'board@example.org', subject
    message['Date'], message['Message-ID'] = 'Tue, 14 Mar 2023 09:26:53 +0000', f'<{len(text)}@example.org>'
    message.set_content(text)
    return message


shutil.rmtree(corpus, ignore_errors=True)
corpus.mkdir()
(work / 'out').mkdir()

for ending in ('docx', 'odt', 'rtf', 'epub', 'html'):
    pandoc('report.md', f'report.{ending}', '--metadata=lang:en')
pandoc('report.md', 'report.txt', '--to=plain')
(corpus / 'utf-16.txt').write_bytes((corpus / 'report.txt').read_text('utf-8').encode('utf-16'))
(corpus / 'utf-32.txt').write_bytes((corpus / 'report.txt').read_text('utf-8').encode('utf-32'))
for name, encoding, text in (
    ('latin-1', 'latin-1', 'The café in Åre seats 46 guests; Zoë keeps its keys.\n'),
    ('windows-1251', 'windows-1251', 'Смотритель маяка Тарас Бульбенко зажигает огонь в половине седьмого каждый вечер.\n'),
    ('shift-jis', 'shift-jis', '灯台は一八七四年に建てられた。番人の名前は山田花子です。港には船が十二隻ある。\n'),
):
    (corpus / f'{name}.txt').write_bytes(text.encode(encoding))
shutil.copy(sources / 'report.md', corpus / 'report.md')
soffice(corpus / 'report.docx', 'report.pdf')
soffice(corpus / 'report.docx', 'writer.odt')
soffice(corpus / 'writer.odt', 'writer.docx')
soffice(corpus / 'writer.odt', 'writer.rtf')
soffice(corpus / 'report.docx', 'old.doc')
protected(corpus / 'report.docx', 'encrypted.docx', 'MS Word 2007 XML')
protected(corpus / 'report.docx', 'encrypted.odt', 'writer8')
for ending in ('odt', 'docx', 'rtf'):
    soffice(sources / 'permit.fodt', f'permit.{ending}')
soffice(sources / 'spaced.fodt', 'spaced.pdf')
soffice(sources / 'chart.fodt', 'chart.docx')
soffice(corpus / 'chart.docx', 'chart.odt')
soffice(sources / 'permit.fodt', 'permit.pdf', 'pdf:writer_pdf_Export:' + json.dumps({'ExportNotes': {'type': 'boolean', 'value': 'true'}}))
options = {name: {'type': kind, 'value': value} for name, kind, value in
           (('EncryptFile', 'boolean', 'true'), ('DocumentOpenPassword', 'string', 'velm'))}
soffice(corpus / 'report.docx', 'encrypted.pdf', f'pdf:writer_pdf_Export:{json.dumps(options)}')

pandoc('slides.md', 'slides.pptx')
soffice(corpus / 'slides.pptx', 'slides.odp')
soffice(corpus / 'slides.odp', 'impress.pptx')
soffice(corpus / 'slides.pptx', 'slides.pdf')
for ending in ('xlsx', 'ods', 'csv'):
    soffice(sources / 'ledger.fods', f'ledger.{ending}')
for ending in ('xlsx', 'ods'):
    soffice(sources / 'plan.fods', f'plan.{ending}')
soffice(sources / 'ledger.fods', 'old.xls')

page = sources / 'page.html'
shutil.copy(page, corpus / 'page.html')
chromium(page, 'page.pdf')
run('chromium', '--headless', '--no-sandbox', '--disable-gpu', f'--user-data-dir={work}/chromium', '--window-size=500,300',
    f'--screenshot={work}/scan.png', f'file://{page}')
diary(examples / 'harbour-log.txt', examples / 'harbour-log.pdf')
for name in ('scan', 'half-scan'):
    shutil.copy(sources / f'{name}.html', work)
    chromium(work / f'{name}.html', f'{name}.pdf')

(corpus / 'wells.json').write_text(json.dumps({'wells': [{'name': 'Aldby', 'depth': 61}, {'name': 'Norr', 'depth': 143}]}, indent=2) + '\n')
run('/usr/bin/python3', sources / 'notebook.py', corpus / 'tides.ipynb')
(corpus / 'wells.jsonl').write_text('{"name": "Aldby", "depth": 61}\n{"name": "Norr", "depth": 143}\n')
mail = letter('The ferry', 'The ferry to Ulvön sails at 6:15.\nBring 20 crowns.\n')
mail.add_alternative('<p>The ferry to <b>Ulvön</b> sails at 6:15.</p><p>Bring 20 crowns.</p>', subtype='html')
mail.add_attachment('The captain is Jon Hass.\n', filename='crew.txt')
(corpus / 'ferry.eml').write_bytes(mail.as_bytes())
box = mailbox.mbox(corpus / 'letters.mbox')
for subject, text in (('The well', 'The well was dug in 1804.\n'), ('The mill', 'From the mill one sees Norr.\nIts owner is Per Lund.\n')):
    box.add(mailbox.mboxMessage(letter(subject, text)))
box.close()
os.chdir(corpus)
inside = ['report.txt', 'wells.json', 'report.docx']
run('zip', '-X', '-q', 'shelf.zip', *inside)
run('tar', '--owner=0', '--group=0', '--mtime=@1700000000', '-czf', 'shelf.tar.gz', *inside)
run('tar', '--owner=0', '--group=0', '--mtime=@1700000000', '-cf', work / 'shelf.tar', *inside)
run('zstd', '-q', work / 'shelf.tar', '-o', 'shelf.tar.zst')
run('gzip', '-nk', 'report.txt')
tools = work / 'tools'
(tools / 'src').mkdir(parents=True)
(tools / '.gitignore').write_text('*.log\n')
(tools / 'README.md').write_text('# Tide tools\n\n## Use\n\nRun them at low water.\n')
(tools / 'src' / 'tide.py').write_text('LEVEL = 417  # of the spring tide\n\ndef height(hour):\n    return LEVEL - 12 * hour\n')
run('git', 'init', '-q', tools)
run('git', '-C', tools, 'add', '.')
run('git', '-C', tools, '-c', 'user.name=Nora Weiss', '-c', 'user.email=nora@example.org', 'commit', '-qm', 'Tools')
run('git', '-C', tools, 'archive', '--prefix=tools/', '-o', corpus / 'tools.tar', 'HEAD')

versions = {'pandoc': 'pandoc --version', 'LibreOffice': 'soffice --version', 'Chromium': 'chromium --version --no-sandbox',
            'Python (email, mailbox)': 'python3 --version', 'zip': 'zip -v', 'GNU tar': 'tar --version', 'zstd': 'zstd --version',
            'git': 'git --version'}
lines = []
for program, command in versions.items():
    output = [line.strip() for line in run(*command.split()).stdout.decode().split('\n') if line.strip()]
    lines.append(f'{program}: {output[1] if program == "zip" else output[0]}')
(corpus / 'VERSIONS').write_text('\n'.join(lines) + '\n')
shutil.rmtree(work)
