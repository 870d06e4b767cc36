"""A hook of mkdocs that copies the files of the repository to which pages link into the site, and adapts the links."""
import logging
import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

LINK = re.compile(r"\[([^\]]*)\]\(((?:\.\./)+[^)#\s]+)(#[^)]*)?\)")
log = logging.getLogger("mkdocs.hooks.links")  # under mkdocs, so that --strict counts its warnings


def beyond_docs(link, page, config):
    """Returns the file or folder of the repository to which a link leads, or None if it leads to a page."""
    target = (Path(config.docs_dir) / posixpath.dirname(page) / link).resolve()
    return None if target.is_relative_to(config.docs_dir) else target


def copy_of(target, config):
    """Returns the place of the copy in the site. The copy is a text file, which a browser shows."""
    return "source/" + target.relative_to(Path(config.docs_dir).parent).as_posix() + ".txt"


def on_files(files, config):
    targets = set()
    for page in files.documentation_pages():
        for _, link, _ in LINK.findall(page.content_string):
            target = beyond_docs(link, page.src_uri, config)
            if target and target.is_file():
                targets.add(target)
            elif target and not target.is_dir():
                log.warning(f"'{page.src_uri}' has a link to '{link}', which is no file of the repository")
    for target in sorted(targets):
        files.append(File.generated(config, copy_of(target, config), abs_src_path=str(target)))
    return files


def on_page_markdown(markdown, page, config, files):
    def with_copy(match):
        words, link, _ = match.groups()
        target = beyond_docs(link, page.file.src_uri, config)
        if target is None:
            return match[0]
        if not target.is_file():  # a folder
            return words
        from_here = posixpath.relpath(copy_of(target, config), posixpath.dirname(page.file.src_uri))
        return f"[{words}]({from_here})"

    return LINK.sub(with_copy, markdown)
