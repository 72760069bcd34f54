"""The live page: a local server that shows a pack and updates while its files change."""
