"""Write PDFs: faces and sheets become pages. Only here do mm become points, and y point upwards."""
