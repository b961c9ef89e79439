import sys
import nbformat
from nbformat import v4

book = v4.new_notebook()
book.cells = [
    v4.new_markdown_cell('# Tides of Velm\n\nMeasured by Ines Calder.', id='a'),
    v4.new_code_cell('levels = read("velm")\nlevels.max()', id='b', execution_count=1, outputs=[
        v4.new_output('stream', text='reading \x1b[31mvelm\x1b[0m\n'),
        v4.new_output('execute_result', data={'text/plain': '417', 'text/html': '<b>417</b>'}, execution_count=1)]),
    v4.new_markdown_cell('## Errors', id='c'),
    v4.new_code_cell('plot()', id='d', execution_count=2, outputs=[
        v4.new_output('display_data', data={'image/png': 'iVBORw0KGgo=', 'text/html': '<p>The <b>spring</b> tide</p>'}),
        v4.new_output('error', ename='ValueError', evalue='no data', traceback=['\x1b[31mValueError\x1b[0m', 'no data'])]),
]
nbformat.validate(book)
nbformat.write(book, sys.argv[1])
